# The commands of the course. Everything runs in .venv, which is made at the first call.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.installed
MODEL := build/translator.pt

# Kernels are the environment's own, whatever else is installed for this user.
export JUPYTER_PREFER_ENV_PATH := 1
unexport JUPYTER_PATH
# One thread each: two workers share two cores, and sums come out in one order.
test bench notebooks: export OMP_NUM_THREADS := 1

.PHONY: help course test bench lab notebooks editions links

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' Makefile

course: $(READY) ## execute every chapter into build/ and end with a table
	@$(BIN)/python tests/workbench/course.py

test: $(READY) $(MODEL) ## lint, unit tests, notebook rules, and every stored output compared
	@$(BIN)/python -m ruff check .
	@$(BIN)/python -m ruff format --check .
	@$(BIN)/python -m pytest -n 2 --dist loadfile --nbval tests notebooks

bench: $(READY) ## measure speed and memory beside torch.nn, as a table
	@$(BIN)/python tests/benchmarks/training.py
	@$(BIN)/python tests/benchmarks/decoding.py
	@$(BIN)/python tests/benchmarks/attention.py

lab: $(READY) ## open JupyterLab at chapter 00
	@$(BIN)/python -m jupyterlab --ServerApp.root_dir=. notebooks/00_start_here.ipynb

notebooks: $(READY) $(MODEL) ## execute all chapters again, in place
	@$(BIN)/python tests/workbench/refresh.py

editions: $(READY) ## write one-file chapters in one language into build/editions/
	@$(BIN)/python tests/workbench/editions.py

links: $(READY) ## write the git remote into the setup cells and the Colab badges
	@$(BIN)/python tests/workbench/links.py

# What chapter 11 trains, so that the chapters after it need not wait for it.
$(MODEL): $(wildcard helpers/*.py) | $(READY)
	@echo "Training $@ …"
	@rm -f $@
	@$(BIN)/python -c "from helpers.translator import course_translator; course_translator('$@')"

# An environment made by another Python than the one asked for with PYTHON=… is made anew.
ifneq ($(origin PYTHON), file)
ifneq ($(shell "$(PYTHON)" -V 2>&1 || :), $(shell $(BIN)/python -V 2>&1 || :))
.PHONY: $(READY)
ANEW := yes
endif
endif

# An interrupted installation leaves no stamp, and is then begun anew.
# The .pth file lets `import helpers` work from any folder; its path is relative, so the project may move.
$(READY): requirements.txt
	@case "$$("$(PYTHON)" -V 2>&1)" in "Python 3.10."*|"Python 3.11."*|"Python 3.12."*|"Python 3.13."*) ;; \
	*) echo "The course needs Python 3.10-3.13, but $(PYTHON) is: $$("$(PYTHON)" -V 2>&1). Name one: PYTHON=python3.12 make course" >&2; exit 1;; esac
	@test -f $@ -a -z "$(ANEW)" || "$(PYTHON)" -m venv --clear $(VENV)
	@rm -f $@
	@echo "Installing requirements.txt into $(VENV) …"
	@$(BIN)/python -m pip install --disable-pip-version-check -r requirements.txt
	@$(BIN)/python -c "import os, sysconfig; p = sysconfig.get_path('purelib'); \
	open(os.path.join(p, 'course.pth'), 'w').write(os.path.relpath('.', p) + '\n')"
	@touch $@
