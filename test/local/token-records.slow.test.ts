import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { TokenSource } from '../../shared/core/contracts/token-record.ts'
import { chatTemplate } from '../learn/tokenizers/tiny-tokenizers.ts'
import { openPlayer } from '../support/play-run.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import {
  type GivenTokens,
  openTokenServer,
  type SpokenChoice,
  type TokenServer,
} from '../support/token-server.ts'

type Options = Parameters<typeof openTokenServer>[1]

async function openRecorder(
  kind: TokenSource,
  { server: given, ...more }: { server?: Options; trainable?: true } = {},
) {
  const server = await openTokenServer(kind, given)
  const folder = await temporaryFolder()
  const endpoint = { kind: 'openai', base_url: server.base, tokens: kind, ...more }
  await writeFile(join(folder, 'endpoints.json'), JSON.stringify({ endpoints: { lab: endpoint } }))
  const play = await openPlayer(folder)
  return {
    ...server,
    play: (request: Parameters<typeof play>[0] = {}) =>
      play({
        environment: 'textcraft',
        tasks: { split: 'test', limit: 1 },
        model: { endpoint: 'lab', id: 'player' },
        ...request,
      }),
    get: play.get,
    register: play.register,
  }
}

/** Registers the model of a server, so that prompts are tokenized here as there. */
async function registerModelOf({
  register,
  tokenizer,
}: Pick<Awaited<ReturnType<typeof openRecorder>>, 'register' | 'tokenizer'>): Promise<string> {
  const folder = await temporaryFolder()
  const files = {
    'model.safetensors': 'weights',
    'config.json': JSON.stringify({ max_position_embeddings: 100_000 }),
    'tokenizer.json': tokenizer,
    'chat_template.jinja': chatTemplate,
  }
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)))
  return register(folder)
}

const mcts = { id: 'mcts', iterations: 4, samples: 2, max_depth: 3 }

function isKnown(
  { given }: Pick<TokenServer, 'given'>,
  prompt: readonly number[] | null,
  answer: GivenTokens['answers'][number],
) {
  return given.some(
    ({ prompt_ids, answers }) =>
      JSON.stringify(prompt_ids) === JSON.stringify(prompt) &&
      answers.some((each) => JSON.stringify(each) === JSON.stringify(answer)),
  )
}

test.each([
  ['vllm', { id: 'react' }, 'weights-7'],
  ['vllm', mcts, 'weights-7'],
  ['sglang', mcts, 'step-3'],
] as const)(
  '%s: every call of %j is recorded with the ids and log-probabilities of the server',
  async (kind, method, version) => {
    const { given, play, get } = await openRecorder(kind)
    const { run, episodes } = await play({
      record: 'tokens',
      method,
      model: { endpoint: 'lab', id: 'player', temperature: 0.7 },
    })
    const [episode] = episodes
    const { calls, unrecorded } = await get.tokens(run.id, episode?.id ?? '')
    expect(unrecorded).toBe(0)
    expect(calls).toHaveLength(episode?.result?.usage.model_calls ?? 0)
    for (const { prompt_ids, answers, ...call } of calls) {
      expect(call).toMatchObject({
        model: 'lab/player',
        source: kind,
        version,
        prompting: 'chat',
        warnings: [],
      })
      expect(call.sampler).toMatchObject({ temperature: 0.7, top_p: 1, max_tokens: 4096 })
      for (const { ids, logprobs } of answers)
        expect(
          isKnown({ given }, prompt_ids, { ids: ids ?? [], logprobs: (logprobs ?? []) as number[] }),
        ).toBe(true)
    }
    const kinds = new Set(calls.map(({ verdict }) => verdict?.kind))
    expect([...kinds].sort()).toEqual(method.id === 'mcts' ? ['continuous', 'forked'] : ['continuous'])
  },
)

test('an endpoint with log-probabilities alone gives their texts, unknown ids and absent turns', async () => {
  const { play, get, given } = await openRecorder('logprobs')
  const { run, episodes } = await play({ record: 'tokens' })
  const { calls } = await get.tokens(run.id, episodes[0]?.id ?? '')
  expect(calls.length).toBeGreaterThan(2)
  const played = given.slice(-calls.length)
  for (const [place, { answers, prompt_ids, verdict, warnings }] of calls.entries()) {
    expect({ prompt_ids, verdict: verdict?.kind, warnings }).toEqual({
      prompt_ids: null,
      verdict: 'absent',
      warnings: [],
    })
    expect(answers).toEqual([
      {
        ids: null,
        texts: played[place]?.answers[0]?.ids.map((id) => String.fromCharCode(id)),
        logprobs: played[place]?.answers[0]?.logprobs,
      },
    ])
  }
})

test('records change neither trees nor journals, and are kept by default for a trainable endpoint alone', async () => {
  const plain = await openRecorder('vllm')
  const text = await plain.play({ method: mcts })
  expect(text.run.request.record).toBeUndefined()
  expect(await plain.get.tokens(text.run.id, 'ep-0000000')).toMatchObject({ calls: [] })
  expect(plain.asked.every((body) => !('logprobs' in body) && !('return_token_ids' in body))).toBe(true)
  const trained = await openRecorder('vllm', { trainable: true })
  const tokens = await trained.play({ method: mcts })
  expect(tokens.run.request.record).toBe('tokens')
  expect(tokens.trees).toEqual(text.trees)
  expect((await trained.get.tokens(tokens.run.id, 'ep-0000000')).calls).not.toEqual([])
  const without = await trained.play({ record: 'text' })
  expect((await trained.get.tokens(without.run.id, 'ep-0000000')).calls).toEqual([])
  const callsOf = async ({ get }: typeof plain, run: string) => {
    const { messages, calls } = await get.calls(run, 'ep-0000000')
    return { messages, calls: calls.map(({ at: _, elapsed: __, ...call }) => call) }
  }
  expect(await callsOf(trained, tokens.run.id)).toEqual(await callsOf(plain, text.run.id))
})

test('answers that a tokenizer would merge drift in chats, and the position is given', async () => {
  const { given, play, get } = await openRecorder('vllm', { server: { merges: [['A', 'c']] } })
  const { run } = await play({ record: 'tokens' })
  const { calls } = await get.tokens(run.id, 'ep-0000000')
  const [first, second] = calls
  expect(first?.verdict).toEqual({ kind: 'continuous' })
  const [asked, next] = given.slice(-calls.length)
  const before = [...(asked?.prompt_ids ?? []), ...(asked?.answers[0]?.ids ?? [])]
  const position = before.findIndex((id, place) => id !== next?.prompt_ids[place])
  expect(second?.verdict).toEqual({ kind: 'drifted', position, previous: first?.call })
})

test.each([
  [
    'fewer log-probabilities than tokens',
    (choice: SpokenChoice) => choice.logprobs.content.pop(),
    { logprobs: null },
  ],
  [
    'ids that are no numbers',
    (choice: SpokenChoice) => {
      choice.token_ids[0] = -3
    },
    { ids: null },
  ],
  [
    'log-probabilities above 0',
    (choice: SpokenChoice) => {
      Object.assign(choice.logprobs.content[0] ?? {}, { logprob: 2 })
    },
    {},
  ],
])('%s count as unknown, and the call and the run warn', async (_name, change, expected) => {
  const { play, get } = await openRecorder('vllm', {
    server: {
      spoil(body) {
        for (const choice of body.choices) change(choice as SpokenChoice)
        return body
      },
    },
  })
  const { run, episodes } = await play({ record: 'tokens' })
  expect(episodes[0]?.status).toBe('succeeded')
  const { calls } = await get.tokens(run.id, 'ep-0000000')
  expect(calls[0]?.warnings).toHaveLength(1)
  expect(calls[0]?.answers[0]).toMatchObject(expected)
  expect(calls[0]?.answers[0]?.logprobs ?? []).not.toContain(0)
  expect(run.warnings).toMatchObject([{ code: 'faulty_tokens', endpoint: 'lab', model: 'player' }])
})

test('an endpoint without tokens refuses to record them', async () => {
  const { play } = await openRecorder('vllm')
  await expect(play({ record: 'tokens', model: { endpoint: 'simulated', id: 'simulated' } })).rejects.toThrow(
    'gives no tokens to record',
  )
})

/** Merges that join across the parts of an answer, and across the marks of turns. */
const merges: [string, string][] = [
  ['A', 'c'],
  ['T', 'h'],
  ['o', 'n'],
]

test.each([
  ['vllm', { id: 'react' }],
  ['vllm', mcts],
  ['sglang', mcts],
] as const)(
  '%s: prompts of token ids keep the ids of %j as the server chose them, and nothing drifts',
  async (kind, method) => {
    const recorder = await openRecorder(kind, { server: { merges } })
    const { given, play, get } = recorder
    const tokenizer = await registerModelOf(recorder)
    const model = { endpoint: 'lab', id: 'player', tokenizer }
    const chats = await play({ method, record: 'tokens', model })
    const drifted = (await get.tokens(chats.run.id, 'ep-0000000')).calls.map(({ verdict }) => verdict?.kind)
    expect(drifted).toContain('drifted')
    const asked = given.length
    const { run, trees } = await play({ method, model: { ...model, prompting: 'tokens' } })
    expect(trees).toEqual(chats.trees)
    expect(run.request.record).toBe('tokens')
    const { calls, unrecorded } = await get.tokens(run.id, 'ep-0000000')
    expect(unrecorded).toBe(0)
    const sent = given.slice(asked)
    // The probe before the run asks so too.
    expect(sent.filter(({ path }) => path.includes('chat'))).toEqual([])
    expect(sent.map(({ prompt_ids }) => prompt_ids)).toEqual(
      expect.arrayContaining(calls.map(({ prompt_ids }) => prompt_ids)),
    )
    for (const { verdict, prompting, prompt_ids, answers, warnings } of calls) {
      expect(['continuous', 'forked']).toContain(verdict?.kind)
      expect({ prompting, warnings }).toEqual({ prompting: 'tokens', warnings: [] })
      const [answer] = answers
      expect(
        isKnown({ given }, prompt_ids, {
          ids: answer?.ids ?? [],
          logprobs: (answer?.logprobs ?? []) as number[],
        }),
      ).toBe(true)
    }
  },
)

test.each([
  ['logprobs', {}, 'takes no token ids'],
  ['vllm', {}, 'need the tokenizer of a registered model'],
] as const)('prompts of token ids are refused for %s: %s', async (kind, more, message) => {
  const { play } = await openRecorder(kind)
  const model = { endpoint: 'lab', id: 'player', prompting: 'tokens' as const, ...more }
  await expect(play({ model })).rejects.toThrow(message)
})

test('an agent that calls tools, and a run without records, cannot send token ids', async () => {
  const { play } = await openRecorder('vllm')
  const model = { endpoint: 'lab', id: 'player', prompting: 'tokens' as const }
  await expect(play({ model, method: { id: 'react', actions: 'tools' } })).rejects.toThrow('have no tools')
  await expect(play({ model, record: 'text' })).rejects.toThrow('need records of tokens')
})
