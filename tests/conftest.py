"""What all tests share."""

from hypothesis import HealthCheck, settings

# How long examples take to draw says more of a busy machine than of a test.
settings.register_profile("oneway", suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("oneway")
