import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { loadMethodModule } from '../../shared/play/methods/added/load-method-module.ts'
import type { ChatChoice, ChatRequest } from '../../shared/play/models/chat-model.ts'
import { createCorridor } from '../play/methods/corridor.ts'
import { playKilled, playMethod } from '../play/methods/play-method.ts'
import { pngOf } from '../support/picture-host.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { installPackage } from './python-package.ts'

beforeAll(async () => {
  const installed = await installPackage()
  vi.stubEnv('PYTHONPATH', installed.environment.PYTHONPATH)
  vi.stubEnv('ESPALIER_PYTHON', installed.python)
  return async () => {
    vi.unstubAllEnvs()
    await installed.remove()
  }
})

async function methodOf(text: string) {
  const file = join(await temporaryFolder(), 'own.py')
  const imports = 'import asyncio, json\nfrom espalier.methods import method, picture\n'
  await writeFile(file, `${imports}\n@method("own", branches=True)\n${text}`)
  const { methods } = await loadMethodModule(file)
  const [method] = methods
  if (method === undefined) throw new Error('There is no method.')
  return method
}

async function play(text: string, answer: (request: ChatRequest) => string | ChatChoice[]) {
  return playMethod({ method: await methodOf(text), environment: createCorridor(), answer })
}

const forward = () => 'Action: forward'

test('a call has its own settings, and every other call has the run’s', async () => {
  const { outcome, requests } = await play(
    `def own(scope, max_steps: int = 3):
    scope.propose(scope.root, key="cold", temperature=0, max_tokens=7, stop=["END"])
    scope.propose(scope.root, key="usual")
    scope.ask("Say.", key="effort", reasoning_effort="high", top_p=0.5)
`,
    forward,
  )
  expect(outcome).toEqual({ type: 'ended', limit: null })
  expect(requests).toMatchObject([
    { temperature: 0, max_tokens: 7, stop: ['END'], top_p: 1 },
    { temperature: 1, max_tokens: 2048 },
    { temperature: 1, top_p: 0.5, reasoning_effort: 'high' },
  ])
  expect(requests[1]).not.toHaveProperty('stop')
})

test('a wrong setting ends the attempt, with its name', async () => {
  const { outcome } = await play(
    `def own(scope, max_steps: int = 3):
    scope.ask("Say.", key="hot", temperature=3)
`,
    forward,
  )
  expect(String('error' in outcome ? outcome.error : '')).toContain('temperature')
})

test('tools are offered, and calls, thoughts and log-probabilities are read beside the text', async () => {
  const call = {
    id: 'c1',
    type: 'function' as const,
    function: { name: 'look_up', arguments: '{"word":"x"}' },
  }
  const { outcome, requests, tree } = await play(
    `def own(scope, max_steps: int = 3):
    tool = {"name": "look_up", "description": "Looks up.", "schema": {"type": "object"}}
    (answer,) = scope.ask("Find x.", key="tools", tools=[tool], logprobs=True)
    assert answer == "I look." and answer.reasoning == "Where?" and answer.finish_reason == "tool_calls"
    (call,) = answer.tool_calls
    assert json.loads(call["arguments"]) == {"word": "x"}
    assert answer.logprobs == [{"text": "I", "id": 4, "logprob": -0.5}]
    said = [{"role": "user", "content": "Find x."}, {"role": "assistant", "content": answer, "tool_calls": [call]},
            {"role": "tool", "content": "x is y", "tool_call_id": call["id"]}]
    (second,) = scope.ask(said, key="second")
    (proposal,) = scope.propose(scope.root, logprobs=True)
    assert proposal.logprobs[0]["logprob"] == -0.5 and proposal.reasoning == "Where?"
    scope.step(scope.root, proposal)
`,
    ({ record }) => [
      {
        content: 'I look.',
        finish_reason: 'tool_calls',
        tool_calls: [call],
        thinking: { text: 'Where?', field: 'reasoning' },
        ...(record && {
          tokens: {
            ids: [4],
            texts: ['I'],
            logprobs: [-0.5],
            source: 'vllm',
            prompt_ids: null,
            version: null,
            warnings: [],
          },
        }),
      },
    ],
  )
  expect(outcome).toEqual({ type: 'ended', limit: null })
  expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['look_up'])
  expect(requests.map(({ record = false }) => record)).toEqual([true, false, true])
  expect(requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  expect(tree.nodes[1]?.thinking).toEqual({ text: 'Where?', field: 'reasoning' })
})

test('a method shows its own pictures, which are stored once by their digest', async () => {
  const { outcome, requests } = await play(
    `def own(scope, max_steps: int = 3):
    import base64
    png = base64.b64decode("${pngOf(4, 4, [1, 2, 3]).data}")
    shown = [{"role": "user", "content": "What is it?", "pictures": [picture(png), *scope.root.pictures]}]
    scope.ask(shown, key="picture")
`,
    forward,
  )
  expect(outcome).toEqual({ type: 'ended', limit: null })
  expect(requests[0]?.messages[0]?.pictures).toMatchObject([{ type: 'blob', media_type: 'image/png' }])
})

test('the actions of a node are those that the environment lists; None where it lists none', async () => {
  const own = `def own(scope, lists: bool = True, max_steps: int = 3):
    (proposal,) = scope.propose(scope.root)
    node = scope.step(scope.root, proposal)
    assert scope.actions(node) == (["back 1", "forward"] if lists else None), scope.actions(node)
`
  const method = await methodOf(own)
  const corridor = createCorridor()
  const core = await corridor.open('goal-3')
  const validActions = ({ at }: { at: number }) => [`back ${at}`, 'forward']
  const environment = { ...corridor, open: async () => ({ ...core, validActions }) }
  const ended = { outcome: { type: 'ended', limit: null } }
  expect(await playMethod({ method, environment, answer: forward })).toMatchObject(ended)
  const parameters = { lists: false }
  expect(await playMethod({ method, environment: corridor, parameters, answer: forward })).toMatchObject(
    ended,
  )
})

test('an effect runs once, however often the episode is killed and taken up again', async () => {
  const log = join(await temporaryFolder(), 'calls')
  await writeFile(log, '')
  const method = await methodOf(`async def own(scope, max_steps: int = 3):
    def note(name):
        with open(${JSON.stringify(log)}, "a") as file: file.write(name + "\\n")
        return {"name": name, "pair": (1, 2)}
    async def wait(name):
        await asyncio.sleep(0.01)
        return note(name)
    first = await scope.effect("first", lambda: note("first"))
    assert first == {"name": "first", "pair": [1, 2]}
    found = await asyncio.gather(*(scope.effect(f"many/{at}", lambda at=at: wait(f"many {at}")) for at in range(3)))
    (proposal,) = await scope.propose(scope.root)
    await scope.step(scope.root, proposal.with_action("forward" if found[2]["name"] == "many 2" else "back"))
`)
  const { whole, resumed } = await playKilled({ method, environment: createCorridor(), answer: forward })
  expect(whole.outcome).toEqual({ type: 'ended', limit: null })
  expect(whole.effects.map(({ effect }) => effect)).toEqual(
    expect.arrayContaining(['own/first', 'own/many/0', 'own/many/1', 'own/many/2']),
  )
  expect(resumed.map(({ bytes }) => bytes)).toEqual(resumed.map(() => whole.bytes))
  const written = (await readFile(log, 'utf8')).split('\n')
  // Once in the whole episode. Of those that were killed, only the one killed before its record is committed calls twice.
  const times = written.filter((line) => line === 'first').length
  expect(times).toBe(1 + resumed.length + 1)
})

test.each([
  ['raises', 'raise ValueError("no way")', /ValueError: no way \(own\.py, line \d+, in call\)/],
  ['returns what JSON lacks', 'return object()', /An effect returned what JSON lacks/],
  ['returns NaN', 'return float("nan")', /An effect returned what JSON lacks/],
])('an effect that %s ends the attempt, with the reason', async (_, work, reason) => {
  const { outcome } = await play(
    `def own(scope, max_steps: int = 3):
    def call():
        ${work}
    scope.effect("call", call)
`,
    forward,
  )
  expect(String('error' in outcome ? outcome.error : '')).toMatch(reason)
})
