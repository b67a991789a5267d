"""The commands of `oneway`, a file each; thin: parse, call, print."""
