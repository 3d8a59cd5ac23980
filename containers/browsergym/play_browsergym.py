"""Plays tasks of BrowserGym for a host: one JSON object a line on the input, one answer a line on the output.

Started as `play_browsergym.py list SETTINGS`, it prints what a benchmark has instead. One process holds one session: BrowserGym has one
Playwright a process, whose calls wait for each other.
"""
import base64
import importlib
import io
import json
import os
import pathlib
import re
import sys
import tempfile
import traceback
import urllib.request

# Answers alone go to the output; whatever packages print goes to the log of the host.
answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
os.dup2(2, 1)

import gymnasium  # noqa: E402
import playwright.sync_api  # noqa: E402
from browsergym.core import __version__ as VERSION  # noqa: E402
from browsergym.core.action.highlevel import HighLevelActionSet  # noqa: E402
from browsergym.utils.obs import flatten_axtree_to_str, flatten_dom_to_str, overlay_som, prune_html  # noqa: E402
from PIL import Image  # noqa: E402

PREFIX = "browsergym/"
# They read files of this machine by their names.
FORBIDDEN = ("upload_file", "mouse_upload_file")
# So that the same page is drawn alike on every machine with the same fonts.
DRAWING = ["--font-render-hinting=none", "--disable-lcd-text", "--force-color-profile=srgb", "--disable-gpu", "--disable-dev-shm-usage"]
TEXTS = (".html", ".js", ".css")
# The host's limits of an answer: pictures, and bytes and pixels (2 ** 26) of each.
MOST_PICTURES = 8
LARGEST_PICTURE = 4 * 1024 * 1024
LONGEST_EDGE = 2**13
# Together, so that an answer is a line of less than 16 MiB beside a screenshot and a text.
LARGEST_GOAL = 8 * 1024 * 1024


class UnknownTask(Exception):
    pass


class Chromium:
    """Lets BrowserGym, whose launches name no program, start the Chromium of the host, with the words that seal it."""

    def __init__(self, program):
        self.program = program
        self.words = []
        launch = playwright.sync_api.BrowserType.launch

        def launch_ours(browser_type, **options):
            options["executable_path"] = self.program
            options["args"] = [*(options.get("args") or []), *DRAWING, *self.words]
            if os.geteuid() == 0:
                return launch(browser_type, **options)
            try:
                return launch(browser_type, **{**options, "chromium_sandbox": True})
            except playwright.sync_api.Error:
                print("Chromium's sandbox is not available here.", file=sys.stderr)
                return launch(browser_type, **options)

        playwright.sync_api.BrowserType.launch = launch_ours


class Addresses:
    """Agents may go to web addresses alone: a file of this machine is no page of a task."""

    def __init__(self):
        self.is_guarded = False
        goto = playwright.sync_api.Page.goto

        def goto_web(page, url, **options):
            if self.is_guarded and not url.lower().startswith(("http://", "https://", "about:blank")):
                raise ValueError(f"{url} is no web address")
            return goto(page, url, **options)

        playwright.sync_api.Page.goto = goto_web


class Pages:
    """The pages of MiniWoB++ that requests bring, written where Chromium reads them."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="espalier-browsergym-"))

    @property
    def address(self):
        return self.folder.as_uri() + "/"

    def write(self, bundles):
        for text in bundles:
            for name, body in json.loads(text).items():
                path = (self.folder / name).resolve()
                if not path.is_relative_to(self.folder.resolve()):
                    raise ValueError(f"{name} leads out of the folder of pages")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(body.encode() if name.endswith(TEXTS) else base64.b64decode(body))


def action_set(subsets):
    actions = HighLevelActionSet(subsets=subsets, multiaction=False, strict=False)
    for name in FORBIDDEN:
        actions.action_set.pop(name, None)
    return actions


def tasks_of(benchmark):
    """The gymnasium specifications of a benchmark, by names without the prefix that all of them have."""
    named = {key.removeprefix(PREFIX): spec for key, spec in gymnasium.registry.items() if key.startswith(PREFIX)}
    return {name: spec for name, spec in named.items() if name == benchmark or name.startswith(benchmark + ".")}


def read_goal(observation):
    """The text and the pictures of a goal. Old gyms have the text alone."""
    if "goal_object" not in observation:
        return observation["goal"], []
    texts, images = [], []
    for part in observation["goal_object"]:
        if part["type"] == "text":
            # The gym writes pictures into a temporary folder too. Its name differs at each start, and no action reads it.
            texts.append(re.sub(re.escape(tempfile.gettempdir()) + r"/[^/\s'\"]+(?=/)", "/tmp", part["text"]))
            continue
        source = part["image_url"]
        address = source["url"] if isinstance(source, dict) else source
        if not address.startswith("data:"):
            texts.append(f"Picture: {address}")
            continue
        with urllib.request.urlopen(address) as opened, Image.open(io.BytesIO(opened.read())) as image:
            drawn = image.convert("RGBA")
        images.append(Image.alpha_composite(Image.new("RGBA", drawn.size, "white"), drawn))
    shown = images[:MOST_PICTURES]
    largest = min(LARGEST_PICTURE, LARGEST_GOAL // max(1, len(shown)))
    return "\n".join(texts), [to_picture(image, largest) for image in shown]


def to_picture(image, largest=LARGEST_PICTURE):
    image.thumbnail((LONGEST_EDGE, LONGEST_EDGE))
    body = io.BytesIO()
    image.convert("RGB").save(body, format="PNG")
    png = body.getvalue()
    if len(png) > largest:
        return to_picture(image.reduce(2), largest)
    return {"media_type": "image/png", "data": base64.b64encode(png).decode()}


class Session:
    """One task, from its start to its end."""

    def __init__(self, request, chromium, addresses, pages):
        gym = json.loads(request["files"]["gym.json"])
        name, _, number = request["task"].rpartition("/")
        importlib.import_module(gym["module"])
        if name not in tasks_of(gym["benchmark"]) or not number.isdecimal():
            raise UnknownTask(f"BrowserGym has no task {request['task']} of {gym['benchmark']}.")
        options = request["options"]
        self.kind, self.has_screenshots = options["observation"], options["screenshots"]
        self.actions = action_set(options["action_subsets"])
        self.addresses, self.pages = addresses, pages
        chromium.words = gym["words"]
        settings = {key: gym[key] for key in ("slow_mo", "pre_observation_delay") if key in gym}
        arguments = dict(gym["arguments"])
        bundles = [text for path, text in request["files"].items() if path != "gym.json"]
        if bundles:
            pages.write(bundles)
            arguments["base_url"] = pages.address + "miniwob/"
        self.gym = gymnasium.make(
            PREFIX + name,
            task_kwargs=arguments,
            action_mapping=self.actions.to_python_code,
            disable_env_checker=True,
            **settings,
        ).unwrapped
        self.seed = int(number) + 1000 * request["seed"]
        self.reward = 0.0

    def reset(self):
        self.addresses.is_guarded = False
        observation, _ = self.gym.reset(seed=self.seed)
        self.addresses.is_guarded = True
        self.goal, self.goal_pictures = read_goal(observation)
        runtime = f"BrowserGym {VERSION}, Chromium {self.gym.browser.version}"
        return {**self.answer(observation, False), "runtime": runtime}

    def step(self, action):
        observation, reward, terminated, truncated, _ = self.gym.step(action)
        # A step's own share here; what the episode earns there.
        self.reward += float(reward)
        return self.answer(observation, terminated or truncated)

    def answer(self, observation, done):
        # Of an error of Playwright the first line: the rest are the tries that it made, which differ from time to time.
        error = observation["last_action_error"].split("\n", 1)[0]
        parts = [f"Goal: {self.goal}", self.tabs(observation), self.page(observation)]
        focused = observation["focused_element_bid"]
        if focused:
            parts.append(f"Focused element: [{focused}]")
        if error:
            parts.append(f"The last action failed: {error}")
        parts.extend(f"You said: {each['message']}" for each in observation["chat_messages"][1:] if each["role"] == "assistant")
        text = "\n\n".join(parts).replace(self.pages.address, "http://miniwob/")
        answered = {"observation": text, "reward": max(0.0, self.reward), "done": bool(done), "valid": error == ""}
        screenshots = [self.screenshot(observation)] if self.kind == "som" or self.has_screenshots else []
        pictures = [*self.goal_pictures[: MOST_PICTURES - len(screenshots)], *screenshots]
        if pictures:
            answered["pictures"] = pictures
        return answered

    def tabs(self, observation):
        active = int(observation["active_page_index"][0])
        tabs = zip(observation["open_pages_titles"], observation["open_pages_urls"])
        return "\n".join(f"Tab {n}{' (current)' if n == active else ''}: {title} {url}" for n, (title, url) in enumerate(tabs))

    def page(self, observation):
        properties = observation["extra_element_properties"]
        if self.kind == "html":
            return prune_html(flatten_dom_to_str(observation["dom_object"], extra_properties=properties))
        return flatten_axtree_to_str(
            observation["axtree_object"],
            extra_properties=properties,
            with_som=self.kind == "som",
            with_clickable=True,
            ignored_roles=["LineBreak", "InlineTextBox"],
        )

    def screenshot(self, observation):
        pixels = observation["screenshot"]
        if self.kind == "som":
            pixels = overlay_som(pixels, extra_properties=observation["extra_element_properties"])
        return to_picture(Image.fromarray(pixels))

    def close(self):
        self.gym.close()


def answer(request, sessions, tools):
    operation, name = request["op"], request.get("session")
    if operation == "describe":
        return {"sessions": 1}
    if operation == "reset":
        earlier = sessions.pop(name, None)
        if earlier is not None:
            earlier.close()
        try:
            sessions[name] = Session(request, *tools)
        except UnknownTask as error:
            return {"error": str(error), "code": "unknown_task"}
        return sessions[name].reset()
    if operation == "step":
        return sessions[name].step(request["action"])
    if name in sessions:
        sessions.pop(name).close()
    return {}


def play(program):
    tools = (Chromium(program), Addresses(), Pages())
    sessions = {}
    for line in sys.stdin:
        request = json.loads(line)
        try:
            reply = answer(request, sessions, tools)
        except Exception as error:
            traceback.print_exc()
            if request["op"] != "reset":
                # The browser is gone, or its page: what it showed is lost, and other processes take the steps again.
                sys.exit(f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else 'no message'}")
            reply = {"error": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps({"id": request["id"], **reply}) + "\n")
        answers.flush()


def list_tasks(settings):
    importlib.import_module(settings["module"])
    found = tasks_of(settings["benchmark"])
    actions = action_set(settings["action_subsets"])
    answers.write(
        json.dumps(
            {
                "version": VERSION,
                "names": list(found),
                "nondeterministic": [name for name, spec in found.items() if spec.nondeterministic],
                "actions": actions.describe(with_long_description=True, with_examples=True).strip(),
            }
        )
    )
    answers.flush()


if __name__ == "__main__":
    if sys.argv[1] == "list":
        list_tasks(json.loads(sys.argv[2]))
    else:
        play(sys.argv[1])
