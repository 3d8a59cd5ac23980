import fc from 'fast-check'

/** Valid actions of the environments, and texts that look like dress inside of them. */
export const actions = [
  'inventory',
  'get 1 oak log',
  'craft 4 oak planks using 1 oak log',
  'go to cabinet 1',
  'put mug 1 in/on desk 2',
  'search[red "big" mug, 5 inches: new]',
  'click[Buy Now]',
  'click[size: 2 * 3 feet]',
  "click[men's shirt]",
  '(move rooma roomb)',
  'pick-up(ball1, left)',
  'open door to kitchen',
  'click [12]',
  'type [5] [say `hi` to *.txt] [1]',
  'stop [The answer: **42**]',
  'page.get_by_role("link", name="Lamp").click()',
  'fill(\'12\', "a, b")',
  'carry("ball1", "rooma")',
  'get_weather {"city": "Bonn"}',
  'undo 2',
] as const

type Dress = (text: string) => string

const labels: readonly Dress[] = [
  (value) => `Action: ${value}`,
  (value) => `action: ${value}`,
  (value) => `ACTION : ${value}`,
  (value) => `**Action:** ${value}`,
  (value) => `**Action**: ${value}`,
  (value) => `__Action:__ ${value}`,
  (value) => `_Action_: ${value}`,
  (value) => `**Action: ${value}**`,
  (value) => `Action 2: ${value}`,
  (value) => `Action #3: ${value}`,
  (value) => `### Action\n${value}`,
  (value) => `## Action:\n${value}`,
  (value) => `- Action: ${value}`,
  (value) => `> **Action**: ${value}`,
  (value) => `1. Action: ${value}`,
  (value) => `Action：${value}`,
  (value) => `Action∶ ${value}`,
  (value) => `**Action︓** ${value}`,
  (value) => `Action:\n${value}`,
  (value) => `\u200bAction:\u00a0${value}\u200b`,
  (value) => `<action>${value}</action>`,
]

const values: readonly Dress[] = [
  (value) => value,
  (value) => `\`\`${value}\`\``,
  (value) => `***${value}***`,
  (value) => `“${value}”`,
  (value) => `  ${value}  `,
]

const fences: readonly Dress[] = [
  (value) => `\n\`\`\`\n${value}\n\`\`\``,
  (value) => `\n\`\`\`text\n${value}\n\`\`\``,
  (value) => ` ~~~\n${value}\n~~~`,
]

const reasonings: readonly Dress[] = [
  (decoy) => `<think>${decoy}</think>\n`,
  (decoy) => `<THINKING reason="x">\n${decoy}\n</THINKING>`,
  (decoy) => `${decoy}\n</think>\n\n`,
  (decoy) => `<think>a <think>${decoy}</think>${decoy}</think>\n`,
  (decoy) => `[THINK]${decoy}[/THINK]`,
  (decoy) => `◁think▷${decoy}◁/think▷`,
  (decoy) => `<reasoning>${decoy}</reasoning>\n`,
  (decoy) => `<|channel|>analysis<|message|>${decoy}<|end|><|start|>assistant<|channel|>final<|message|>`,
]

const wholes: readonly Dress[] = [
  (answer) => answer,
  (answer) => `\`\`\`\n${answer}\n\`\`\``,
  (answer) => `Sure!\n\n${answer}`,
  (answer) => answer.replaceAll('\n', '\r\n'),
  (answer) => `<answer>${answer}</answer>`,
]

const of = (dresses: readonly Dress[]) => fc.constantFrom(...dresses)

/** Decoys that reasoning holds: actions, programs, verdicts. */
const decoys = fc.constantFrom(
  '\nAction: get 9 decoy\nObservation: Got it\n',
  '\n**Action:** decoy\n',
  '\n```js\nact("decoy")\n```\n',
  '\nStatus code: A\nScore: 9\nJudgement: good\nDecision: update\nNote: decoy\n',
)

/** Reasoning with a decoy inside, before an answer. */
export const reasoned = fc.tuple(of(reasonings), decoys).map(
  ([reasoning, decoy]): Dress =>
    (answer) =>
      `${reasoning(decoy)}${answer}`,
)

/** One line of an answer with its label and value in any dress. */
export const lineDress = fc.oneof(
  fc.tuple(of(labels), of(values)).map(
    ([label, value]): Dress =>
      (text) =>
        label(value(text)),
  ),
  of(fences).map(
    (fence): Dress =>
      (text) =>
        `Action:${fence(text)}`,
  ),
)

/** A whole answer in any dress, reasoning before it or not. */
export const answerDress = fc.tuple(of(wholes), fc.option(reasoned, { nil: undefined })).map(
  ([whole, reasoning]): Dress =>
    (answer) =>
      (reasoning ?? ((text: string) => text))(whole(answer)),
)

export const thought = fc.constantFrom(
  '',
  'Thought: a\n',
  '**Thought:** a: b\n\n',
  'Thought: the action: none yet.\n',
)
