"""A view in the browser: its controls, its picture to the last byte, its sentence, and a key pressed in it."""

import time
from dataclasses import dataclass

from specviz.explorers import EXPLORERS

CONTROLS = ".noUi-handle, [role=slider]:not(.noUi-handle), input, select, button"
HELPERS = """() => {
    const outputs = () => [...document.querySelectorAll('.jp-CodeCell .jp-OutputArea-output')];
    const view = index => outputs().filter(o => o.querySelector('.specviz-view canvas'))[index];
    const next = () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    window.specviz = {
        view,
        controls: (index, selector) => [...view(index).querySelectorAll(selector)].filter(e => e.getClientRects().length),
        look: async index => {
            const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', view(index).querySelector('canvas').png));
            const picture = [...digest].map(b => b.toString(16).padStart(2, '0')).join('');
            return {picture, says: view(index).querySelector('[role=status], [role=alert]')?.textContent ?? ''};
        },
        arm: index => {
            const image = view(index).querySelector('canvas'), before = image.dataset.frame;
            window.specviz.changed = () => image.dataset.frame !== before;
        },
        settled: async () => {
            const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
            for (let i = 0; i < 2; i++) // answered when all that the key did is done, and shown: messages keep their order
                await kernel.requestExecute({code: '', silent: true, store_history: false}).done;
            await next(); return window.specviz.changed();
        },
    };
}"""


@dataclass(frozen=True)
class Look:
    """What a view shows: the digest of its picture, and its sentence."""

    picture: str
    says: str


class View:
    """The view of one explorer in the notebook that shows them all."""

    def __init__(self, notebook, name):
        self.page, self.index = notebook.page, list(EXPLORERS).index(name)
        self.page.evaluate(HELPERS)

    def look(self):
        seen = self.page.evaluate("index => window.specviz.look(index)", self.index)
        return Look(seen["picture"], seen["says"])

    def controls(self, selector=CONTROLS):
        """The controls that can be seen, in the order of the page."""
        handle = self.page.evaluate_handle(
            "([index, selector]) => window.specviz.controls(index, selector)", [self.index, selector]
        )
        return [item.as_element() for item in handle.get_properties().values()]

    def becomes(self, look):
        """Does the view come to show this?"""
        return self._comes(lambda now: now == look)

    def changes(self, before):
        """Does the view come to show another picture and another sentence?"""
        return self._comes(lambda now: now.picture != before.picture and now.says != before.says)

    def _comes(self, wanted):
        """Wait: a busy machine may paint a sentence some frames after its picture."""
        deadline = time.monotonic() + 3
        while not wanted(self.look()):
            if time.monotonic() > deadline:
                return False
            self.page.wait_for_timeout(20)
        return True

    def press(self, control, key, *, patient=True):
        """Press a key in a control, wait for the new picture, and tell whether there was one; a busy machine paints it late."""
        control.focus()
        self.page.evaluate("index => window.specviz.arm(index)", self.index)
        self.page.keyboard.press(key)
        changed = self.page.evaluate("() => window.specviz.settled()")
        for _ in range(50 if patient else 0):
            if changed:
                break
            self.page.wait_for_timeout(20)
            changed = self.page.evaluate("() => window.specviz.changed()")
        return changed
