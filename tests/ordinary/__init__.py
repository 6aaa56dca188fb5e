"""A hundred ordinary problems, tables as people have them, which the defaults of `train` fit."""
