"""A real Chromium without a window, which uses pages as their readers do."""

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
"""Keys that are no letters, as WebDriver writes them."""


@dataclass(frozen=True)
class Browser:
    """A window of Chromium; scripts say `return` when they answer."""

    driver: Any

    def open(self, page: Path | str, *, width: int = 960, height: int = 600) -> None:
        """Load a page anew; a path may have an address in it (`index.html#shot/beat`).

        Chromium draws all that moves by itself: the window is as small as a wide page can be.
        """
        address = page if "://" in str(page) else f"file://{page}"
        self.media()
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.get("about:blank")
        self.said(), self.asked()
        self.driver.get(str(address))

    def media(self, kind: str = "", **features: str) -> None:
        """Pretend to be paper (`print`), or a system that is set to something."""
        wanted = [{"name": n.replace("_", "-"), "value": v} for n, v in features.items()]
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia", {"media": kind, "features": wanted}
        )

    def run(self, script: str, *args: Any) -> Any:
        """What a script answers."""
        return self.driver.execute_script(script, *args)

    def wait(self, condition: str, patience: float = PATIENCE) -> None:
        """Give an expression its time to become true."""
        end = time.monotonic() + patience
        while not self.run(f"return Boolean({condition})"):
            assert time.monotonic() < end, f"never: {condition}"
            time.sleep(0.03)

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(NAMED.get(key, key)).perform()

    def click(self, selector: str) -> None:
        """Click on what a selector finds, where a pointer would."""
        self.driver.find_element("css selector", selector).click()

    def said(self) -> list[str]:
        """What the console says since it was last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def asked(self) -> set[str]:
        """Where requests went since it was last asked: schemes of addresses, and hosts."""
        messages = [json.loads(e["message"])["message"] for e in self.driver.get_log("performance")]
        places = set()
        for message in messages:
            if message["method"] == "Network.requestWillBeSent":
                url = urlsplit(message["params"]["request"]["url"])
                places.add(url.netloc if url.scheme in ("http", "https", "ws") else url.scheme)
        return places

    def barriers(self) -> list[str]:
        """What axe finds: the rules that the page breaks, and where."""
        self.run(resources.files("axe_core_python").joinpath("axe.min.js").read_text("utf-8"))
        found = self.driver.execute_async_script(
            "const answer = arguments[0]; axe.run(document).then(answer)"
        )
        return [
            f"{rule['id']}: {node['target']}"
            for rule in found["violations"]
            for node in rule["nodes"]
        ]

    def printed(self, path: Path) -> Path:
        """The page as a PDF, A4."""
        paper = {"paperWidth": 8.27, "paperHeight": 11.69, "printBackground": True}
        made = self.driver.execute_cdp_cmd("Page.printToPDF", paper)
        path.write_bytes(base64.b64decode(made["data"]))
        return path


@contextmanager
def chromium(arguments: Sequence[str] = (), *, load: str = "normal") -> Iterator[Browser]:
    """A browser of one's own; skips the test where there is none.

    With `load` "none", commands do not wait until a page has loaded: a window into which a script
    writes without closing its document never has.
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
