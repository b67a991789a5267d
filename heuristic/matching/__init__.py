"""Matching: drawings compiled to tables, and the kernel that matches them."""
