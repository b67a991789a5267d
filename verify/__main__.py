"""`python -m verify` is the command `oneway`."""

from verify.start import main

main()
