"""Builds the documentation as a site: written pages, and pages made from the code.

`python -m website` lays out all pages in ``out/pages``, lets Zensical build them into
``out/site``, and checks that no page loads anything from a network. What is made here:
the commands from their help, the Python pages from the modules, those of rules and one
page a case. Nothing made is kept in the repository. Built twice, it is the same.
"""
