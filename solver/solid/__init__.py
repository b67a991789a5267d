"""Solid grids: path factors, strips and cuts, which decide boards without walls."""
