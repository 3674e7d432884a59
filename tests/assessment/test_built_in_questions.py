"""Each built-in question: a construct that raises it, and the same construct where the change answers it."""

from __future__ import annotations

from textwrap import dedent, indent

import pytest

from review_bot.assessment.review_areas import FocusMap, ReviewQuestion, select_questions
from review_bot.configuration import rule_registry
from review_bot.rules.examples import make_case
from tests.engine.cases import review, rulebook_of

FOCUS = rule_registry.builtin_rulebook().focus
ASKS = {(card.id.removeprefix("card/"), number): ask for card in FOCUS.cards for number, ask in enumerate(card.asks)}

ENGINE, MODEL, SERVER = "halcyon/engine/run.py", "halcyon/diffusion/models/pipeline.py", "halcyon/entrypoints/api.py"
TEST = "tests/test_run.py"


def method(body, name="run", parameters="self", start="def"):
    return f"class Runner:\n    {start} {name}({parameters}):\n" + indent(dedent(body), " " * 8)


STORE = method("self.states[request_id] = state\n", parameters="self, request_id, state")
POP = method("await self.send(x)\nself.states.pop(request_id)\n", start="async def")
TASK = method("self.loop_task = asyncio.create_task(self.loop())\n")
THREAD = method("self.thread = threading.Thread(target=self.loop)\n")
WAIT = method("item = self.in_queue.get()\n")
POLL = method("while not self.ready:\n    time.sleep(0.05)\n")
FIRST = method("prompt = req.prompts[0]\n")
SIZE = method("batch_size = 1\n")
PAD = method("x = pad_sequence(rows, batch_first=True)\n")
STRICT = method("self.model.load_state_dict(state, strict=False)\n")
SKIP = method("for name, w in weights:\n    if name not in params_dict:\n        continue\n", name="load_weights")
COPY = method("self.text_encoder = T5EncoderModel.from_pretrained(path)\n", name="__init__")
HEIGHT = method("height = req.height or 512\n")
DEFAULT = method('steps = extra_body.get("num_inference_steps", 50)\n')
ZERO = method("seed = req.seed or 1\n")
CHAT = method('text = f"<|im_start|>user {prompt}<|im_end|>"\n')
FETCH = method("image = load_image(image_url)\n")
PROCESS = method("torch.set_default_dtype(torch.float16)\nself.load()\n")
SEED = method("torch.manual_seed(req.seed)\n")
STAGE = method('latent = output.multimodal_output["latent"]\n')
NEGATIVE = method("do_true_cfg = true_cfg_scale > 1 and has_neg_prompt\n")
GUIDE = method("noise = negative + guidance_scale * (positive - negative)\n")
THRESHOLD = "class Config:\n    rel_l1_thresh: float = 0.2\n"
ROUND = method("height = height // self.multiple * self.multiple\n")
RATE = method("audio = CreateAudio(tensor, sample_rate=24000)\n")
INDEX = method("self.prompt_template_encode_start_idx = 34\n")
TOKEN = method("im_start_token_id = 151644\n")
CUT = method("ids = self.tokenizer(text, truncation=True,\n    max_length=self.longest)\n")
DTYPE = method("hidden = hidden.to(device=device, dtype=torch.bfloat16)\n")
CUDA = "from halcyon.platforms import npu, current_platform\n" + method("torch.cuda.synchronize()\n")
TEMPORARY = method("folder = tempfile.mkdtemp()\n")
SEGMENT = method("shm = SharedMemory(create=True, size=8)\n")
RAISING = 'def test_it(monkeypatch):\n    monkeypatch.setattr(engine, "load", fake, raising=False)\n'
CLOSE = "def test_it():\n    torch.testing.assert_close(a, b, atol=0.5, rtol=0)\n"


def also(code, line):
    """Return the code with one more line in its last function."""
    return code + indent(dedent(line), " " * (4 if code.startswith("def") else 8)) + "\n"


QUESTIONS = [
    ("kv-cache", 0, ENGINE, STORE, [also(STORE, "self.states.pop(request_id)"), also(STORE, "del self.states[0]")]),
    ("kv-cache", 1, ENGINE, POP, [POP.replace("await self.send(x)", "try: await x\n        finally: end()"), POP.replace("run(", "abort(")]),
    ("request", 0, ENGINE, TASK, [also(TASK, "self.loop_task.cancel()"), also(TASK, "await asyncio.gather(\n    self.loop_task)")]),
    ("request", 1, ENGINE, THREAD, [also(THREAD, "self.thread.join()"), also(THREAD, "self.threads.append(self.thread)")]),
    ("request", 2, ENGINE, WAIT, [WAIT.replace("get()", "get(timeout=5)"), also(WAIT, "self.check(queue.Empty)")]),
    ("request", 3, ENGINE, POLL, [also(POLL, "deadline = 3"), POLL.replace("while", "if"), also(POLL, "while 1: break")]),
    ("batching", 0, ENGINE, FIRST, [also(FIRST, "assert len(req.prompts) == 1"), FIRST.replace("prompts[0]", "prompts[0][1]")]),
    ("batching", 1, ENGINE, SIZE, [also(SIZE, "batch_size = len(rows)"), SIZE.replace("run(", "warm_up(")]),
    ("batching", 2, MODEL, PAD, [also(PAD, "mask = lengths > 0"), PAD.replace("rows", "blocks")]),
    ("loading", 0, MODEL, STRICT, [STRICT.replace("self.model", "missing, unexpected = self.model"), STRICT.replace("False", "True")]),
    ("loading", 1, MODEL, SKIP, [also(SKIP, "logger.warning(name)"), SKIP.replace("load_weights", "names")]),
    ("loading", 2, MODEL, COPY, [COPY.replace("path", "path, torch_dtype=dtype"), COPY.replace("T5EncoderModel", "T5Config")]),
    ("security-input", 0, MODEL, HEIGHT, [also(HEIGHT, "assert height <= 2048"), also(HEIGHT, "height = min(height, 9)")]),
    ("security-input", 1, SERVER, DEFAULT, [DEFAULT.replace(", 50", ""), DEFAULT.replace("extra_body", "names")]),
    ("security-input", 2, SERVER, ZERO, [ZERO.replace("req.seed or 1", "1 if req.seed is None else req.seed")]),
    ("security-input", 3, SERVER, CHAT, [also(CHAT, "prompt = escape(prompt)"), CHAT.replace("{prompt}", "Hello")]),
    ("security-input", 4, SERVER, FETCH, [FETCH.replace("image_url)", "image_url, max_size=9)"), also(FETCH, 'image_url = "a"')]),
    ("process-state", 0, ENGINE, PROCESS, [PROCESS.replace("self.load()", "try: self.load()\n        finally: end()")]),
    ("process-state", 1, ENGINE, SEED, [SEED.replace("torch.manual_seed", "torch.Generator().manual_seed")]),
    ("hybrid", 0, ENGINE, STAGE, [STAGE.replace('["latent"]', '.get("latent")'), also(STAGE, 'assert "latent" in output.keys')]),
    ("diffusion", 0, MODEL, NEGATIVE, [also(NEGATIVE, 'logger.warning("no guidance")')]),
    ("diffusion", 1, MODEL, GUIDE, [also(GUIDE, "if guidance_scale > 1: pass"), also(GUIDE, "if do_true_cfg: pass")]),
    ("diffusion", 2, MODEL, THRESHOLD, [THRESHOLD.replace("= 0.2", "")]),
    ("image", 0, MODEL, ROUND, [also(ROUND, "assert height % self.multiple == 0")]),
    ("constants", 0, SERVER, RATE, [RATE.replace("24000", "model.sample_rate"), RATE.replace("run(", "warm_up(")]),
    ("constants", 1, MODEL, INDEX, [INDEX.replace("34", "len(self.template)")]),
    ("constants", 2, MODEL, TOKEN, [TOKEN.replace("151644", "config.im_start_token_id")]),
    ("constants", 3, MODEL, CUT, [also(CUT, 'logger.warning("cut")'), CUT.replace("truncation=True", "padding=True")]),
    ("platform", 0, MODEL, DTYPE, [DTYPE.replace("torch.bfloat16", "hidden.dtype"), also(DTYPE, "if x.dtype != y: pass")]),
    ("platform", 1, ENGINE, CUDA, [CUDA.replace("torch.cuda.sync", "if torch.cuda.is_available(): torch.cuda.sync")]),
    ("output-safety", 0, ENGINE, TEMPORARY, [also(TEMPORARY, "shutil.rmtree(folder)")]),
    ("output-safety", 1, ENGINE, SEGMENT, [also(SEGMENT, "shm.unlink()")]),
    ("tests", 0, TEST, RAISING, [RAISING.replace(", raising=False", ""), also(RAISING, 'assert hasattr(engine, "load")')]),
    ("tests", 1, TEST, CLOSE, [CLOSE.replace("0.5", "1e-5"), CLOSE.replace("atol=0.5, ", "")]),
]  # fmt: skip


def asked(card, number, path, code):
    """Return the questions that a new file with this code raises, of one construct."""
    ask = ASKS[card, number]
    focus = FocusMap((), (ReviewQuestion(f"card/{card}", card, (), (ask,)),), FOCUS.triggers)
    book = rulebook_of()._replace(focus=focus)
    change = {"base": {}, "head": {path: code}}
    files = make_case(book.rules[0], change).pull_request.files
    profiles = review({path: code}, {}, rulebook=book).profiles
    return [question for each in select_questions(focus, profiles, files, ()) for question in each.questions]


def test_every_question_has_its_examples():
    assert [each[:2] for each in QUESTIONS] == [*ASKS]


@pytest.mark.parametrize("example", QUESTIONS, ids=lambda each: f"{each[0]}-{each[1]}")
def test_the_construct_raises_the_question_with_its_names(example):
    card, number, path, code, _ = example
    (question,) = asked(card, number, path, code)
    assert question.endswith("?")
    assert "{" not in question
    assert question != ASKS[card, number].question


@pytest.mark.parametrize(
    ("example", "answer"),
    [(each, answer) for each in QUESTIONS for answer in each[4]],
    ids=lambda each: f"{each[0]}-{each[1]}" if isinstance(each, tuple) else "",
)
def test_a_question_that_the_change_answers_is_not_asked(example, answer):
    card, number, path, code, _ = example
    assert answer != code
    assert asked(card, number, path, answer) == []


@pytest.mark.parametrize("example", QUESTIONS, ids=lambda each: f"{each[0]}-{each[1]}")
def test_a_docstring_or_a_comment_raises_no_question(example):
    card, number, path, code, _ = example
    assert asked(card, number, path, f'EXAMPLE = """\n{code.replace(chr(34) * 3, "")}"""\n') == []
    assert asked(card, number, path, "x = 1\n" + "".join(f"# {line}\n" for line in code.splitlines())) == []
