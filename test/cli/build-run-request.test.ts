import { describe, expect, it } from 'vitest'
import { buildRunRequest } from '../../cli/build-run-request.ts'
import { runRequestSchema } from '../../shared/core/contracts/run.ts'

const least = { environment: 'textcraft', method: 'react', model: 'simulated' }

describe('buildRunRequest', () => {
  it('turns the flags into the body of POST /v1/runs', () => {
    const request = buildRunRequest({
      ...least,
      method: 'mcts',
      set: ['iterations=8', 'samples=4', 'value=reward'],
      split: 'test',
      limit: 50,
      maxCost: 5,
      maxTokens: 2_000_000,
      maxTime: 3600,
      episodeSteps: 40,
      maxParallel: 64,
      epochs: 2,
      seed: 7,
      samplingSeed: 8,
    })
    expect(request).toEqual({
      environment: 'textcraft',
      tasks: { split: 'test', limit: 50 },
      method: { id: 'mcts', iterations: 8, samples: 4, value: 'reward' },
      model: { endpoint: 'simulated', id: 'simulated' },
      limits: { cost: 5, tokens: 2_000_000, time: 3600 },
      episode_limits: { steps: 40 },
      max_parallel: 64,
      epochs: 2,
      seed: 7,
      sampling_seed: 8,
    })
    expect(runRequestSchema.safeParse(request).success).toBe(true)
  })

  it('keeps to the test split where flags narrow the tasks and name no split', () => {
    expect(buildRunRequest({ ...least, limit: 5 }).tasks).toEqual({ split: 'test', limit: 5 })
    expect(buildRunRequest({ ...least, task: ['a'], limit: 5 }).tasks).toEqual({ ids: ['a'], limit: 5 })
    const file = { tasks: { split: 'dev' } }
    expect(buildRunRequest({ ...least, limit: 5 }, file).tasks).toEqual({ split: 'dev', limit: 5 })
  })

  it('states nothing that was not asked for, so that the service sets the defaults', () => {
    expect(buildRunRequest(least)).toEqual({
      environment: 'textcraft',
      method: { id: 'react' },
      model: { endpoint: 'simulated', id: 'simulated' },
    })
  })

  it('every flag reaches a field that the service knows', () => {
    const request = buildRunRequest({
      ...least,
      name: 'n',
      task: ['a', 'b'],
      range: '0-50',
      type: ['t'],
      temperature: 0.5,
      topP: 0.9,
      answerTokens: 100,
      promptTokens: 1000,
      maxPictures: 2,
      role: ['value=openai:ft:gpt-5-mini:x'],
      hosting: 'worker',
      maxRetries: 1,
      episodeTurns: 3,
      episodeTokens: 4,
      episodeCost: 0.2,
      episodeTime: 6,
      metadata: ['week=12'],
    })
    const parsed = runRequestSchema.parse(request)
    expect(parsed.tasks).toEqual({ ids: ['a', 'b'], range: [0, 50], types: ['t'] })
    expect(parsed.roles.value).toMatchObject({ endpoint: 'openai', id: 'ft:gpt-5-mini:x' })
    expect(parsed.metadata).toEqual({ week: '12' })
    expect(parsed.episode_limits).toEqual({ turns: 3, tokens: 4, cost: 0.2, time: 6 })
    expect(parsed.model).toMatchObject({
      temperature: 0.5,
      top_p: 0.9,
      max_tokens: 100,
      max_prompt_tokens: 1000,
      max_pictures: 2,
    })
  })

  it('looks for a model at openai unless it is the simulated one or an endpoint is named', () => {
    expect(buildRunRequest({ ...least, model: 'gpt-5-mini' }).model).toEqual({
      endpoint: 'openai',
      id: 'gpt-5-mini',
    })
    expect(buildRunRequest({ ...least, model: 'gpt-5-mini', endpoint: 'azure' }).model).toMatchObject({
      endpoint: 'azure',
    })
    const { model: _, ...withoutModel } = least
    expect(buildRunRequest({ ...withoutModel, endpoint: 'simulated' }).model).toEqual({
      endpoint: 'simulated',
      id: 'simulated',
    })
  })

  it('says of a role only what was asked for, one setting after the other', () => {
    const role = ['value=openai:gpt-5-mini', 'value.temperature=0.7', 'debate.temperature=0.1']
    const request = buildRunRequest({ ...least, role: [...role, 'embedding.id=text-embedding-3-small'] })
    expect(request.roles).toEqual({
      value: { endpoint: 'openai', id: 'gpt-5-mini', temperature: 0.7 },
      debate: { temperature: 0.1 },
      embedding: { id: 'text-embedding-3-small' },
    })
    expect(runRequestSchema.safeParse(request).success).toBe(true)
  })

  it('puts flags of roles and prompts over those of the file, and leaves the others', () => {
    const file = {
      ...least,
      method: { id: 'mcts' },
      model: { endpoint: 'simulated', id: 'simulated' },
      roles: { value: { temperature: 0.7, id: 'old' }, debate: { temperature: 0.1 } },
      prompts: { react: 'a', 'judge-question': 'b' },
    }
    const request = buildRunRequest(
      { role: ['value.id=new'], prompt: ['judge-question=x = {{transcript}}'] },
      file,
    )
    expect(request).toMatchObject({
      roles: { value: { temperature: 0.7, id: 'new' }, debate: { temperature: 0.1 } },
      prompts: { react: 'a', 'judge-question': 'x = {{transcript}}' },
    })
  })

  it('puts flags over the file, field by field, and leaves the file as it was', () => {
    const file = {
      environment: 'textcraft',
      tasks: { split: 'train', limit: 10 },
      method: { id: 'mcts', iterations: 4, samples: 2 },
      model: { endpoint: 'simulated', id: 'simulated', temperature: 0.2 },
      limits: { cost: 1 },
    }
    const request = buildRunRequest({ limit: 5, set: ['iterations=8'], maxTokens: 100 }, file)
    expect(request).toEqual({
      ...file,
      tasks: { split: 'train', limit: 5 },
      method: { id: 'mcts', iterations: 8, samples: 2 },
      limits: { cost: 1, tokens: 100 },
    })
    expect(file.method.iterations).toBe(4)
  })

  it('drops the parameters of the method in the file when another method is named', () => {
    const file = {
      environment: 'textcraft',
      method: { id: 'mcts', iterations: 4 },
      model: { endpoint: 'simulated', id: 'simulated' },
    }
    expect(buildRunRequest({ method: 'react' }, file).method).toEqual({ id: 'react' })
    expect(buildRunRequest({ method: 'mcts' }, file).method).toEqual({ id: 'mcts', iterations: 4 })
  })

  it.each([
    [{ method: 'react', model: 'simulated' }, '--environment'],
    [{ environment: 'textcraft', model: 'simulated' }, '--method'],
    [{ environment: 'textcraft', method: 'react' }, '--model'],
    [{ ...least, set: ['iterations'] }, 'name=value'],
    [{ ...least, range: 'all' }, 'from-to'],
    [{ ...least, role: ['value=gpt'] }, '--role "value=gpt" is not a role. Write role=endpoint:model'],
    [{ ...least, role: ['value.temperature'] }, 'value.temperature=0.2'],
    [{ ...least, prompt: ['judge-question'] }, '--prompt "judge-question" is not a prompt'],
    [{ ...least, prompt: ['judge-question='] }, 'Write id=@file or id=text'],
  ])('refuses %j and says how it is written', (flags, hint) => {
    expect(() => buildRunRequest(flags)).toThrow(hint)
  })

  it('refuses a file whose field is not what it must be', () => {
    expect(() => buildRunRequest(least, { tasks: 'test' })).toThrow('"tasks" in the file must be an object.')
  })
})

describe('generated tasks', () => {
  it('are asked for by flags, which a file may have begun', () => {
    const flags = {
      ...least,
      generate: 2000,
      generator: 'gripper',
      split: 'dev',
      bound: ['max_balls=2'],
      limit: 9,
    }
    const asked = { count: 2000, generator: 'gripper', split: 'dev', max_balls: 2 }
    expect(buildRunRequest(flags).tasks).toEqual({ generate: asked, limit: 9 })
    expect(runRequestSchema.safeParse(buildRunRequest(flags)).success).toBe(true)
    const file = { tasks: { generate: asked } }
    expect(buildRunRequest({ ...least, generateSeed: 4 }, file).tasks).toEqual({
      generate: { ...asked, seed: 4 },
    })
  })

  it('need a count', () => {
    expect(() => buildRunRequest({ ...least, bound: ['max_balls=2'] })).toThrow(/--generate beside --bound/)
  })
})
