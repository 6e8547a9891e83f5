"""How the terminology that ships in the package is made: from openly licensed data packages."""
