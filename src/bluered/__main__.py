"""Run the command line with `python -m bluered`."""

from bluered.cli.main import main

if __name__ == "__main__":
    main()
