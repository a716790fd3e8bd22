"""A real, headless Chromium to test pages in."""

from __future__ import annotations

import base64
import json
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

PATIENCE = 20.0
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chrome"))), None)
DRIVER = shutil.which("chromedriver")
NAMED = {"PageDown": "\ue00f", "PageUp": "\ue00e", "Right": "\ue014", "Left": "\ue012"}
NAMED |= {"Enter": "\ue007", "Tab": "\ue004", "Down": "\ue015"}
"""Codes of WebDriver for keys that are not letters."""


@dataclass(frozen=True)
class Browser:
    """A window of Chromium. Scripts need a `return` to have a result."""

    driver: Any

    def open(self, page: Path | str, *, width: int = 960, height: int = 600) -> None:
        """Load a page; a path may have a fragment (`index.html#shot/beat`).

        The window is as small as a wide page can be: Chromium draws without a graphics card.
        """
        address = page if "://" in str(page) else f"file://{page}"
        self.media()
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.get("about:blank")
        self.console(), self.requests()
        self.driver.get(str(address))

    def media(self, kind: str = "", **features: str) -> None:
        """Emulate a kind of media (`print`), or settings of the system."""
        wanted = [{"name": n.replace("_", "-"), "value": v} for n, v in features.items()]
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"media": kind, "features": wanted}
        )

    def run(self, script: str, *args: Any) -> Any:
        """The result of a script."""
        return self.driver.execute_script(script, *args)

    def wait(self, condition: str, patience: float = PATIENCE) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + patience
        while not self.run(f"return Boolean({condition})"):
            assert time.monotonic() < end, f"never: {condition}"
            time.sleep(0.03)

    def press(self, *keys: str) -> None:
        """Press keys, in the element that has the focus."""
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(NAMED.get(key, key)).perform()

    def click(self, selector: str) -> None:
        """Click on the middle of the element that a selector finds."""
        self.driver.find_element("css selector", selector).click()

    def console(self) -> list[str]:
        """Messages in the console since the last call."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self) -> set[str]:
        """Hosts, or schemes without a host, of all requests since the last call."""
        messages = [json.loads(e["message"])["message"] for e in self.driver.get_log("performance")]
        places = set()
        for message in messages:
            if message["method"] == "Network.requestWillBeSent":
                url = urlsplit(message["params"]["request"]["url"])
                places.add(url.netloc if url.scheme in ("http", "https", "ws") else url.scheme)
        return places

    def violations(self) -> list[str]:
        """The rules of axe that the page violates, and where."""
        self.run(resources.files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
        found = self.driver.execute_async_script(
            "const answer = arguments[0]; axe.run(document).then(answer)"
        )
        return [
            f"{rule['id']}: {node['target']}"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]

    def print_pdf(self, path: Path) -> Path:
        """The page as a PDF, A4."""
        paper = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": True}
        made = self.driver.execute_cdp_cmd("Page.printToPDF", paper)
        path.write_bytes(base64.b64decode(made["data"]))
        return path


@contextmanager
def chromium(arguments: Sequence[str] = (), *, load: str = "normal") -> Iterator[Browser]:
    """A new browser; skips the test if none is installed.

    With `load` "none", commands do not wait until a page has loaded: a window whose document a
    script has opened and not closed never has.
    """
    pytest.importorskip("selenium", reason="pages are tried with selenium")
    pytest.importorskip("axe_core_python", reason="pages are checked with axe-core-python")
    if not CHROMIUM or not DRIVER:
        pytest.skip("pages are tried in Chromium, with chromedriver; they are not installed")
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    options.page_load_strategy = load
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--force-prefers-no-reduced-motion",
        *arguments,
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
