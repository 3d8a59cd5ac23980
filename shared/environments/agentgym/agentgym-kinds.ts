import { z } from 'zod'
import type { Json } from '../../core/contracts/json.ts'
import { alfworldGuide } from '../alfworld/guide.ts'
import type { EnvironmentGuide } from '../environment.ts'
import { scienceworldGuide } from '../scienceworld/guide.ts'
import { textcraftGuide } from '../textcraft/guide.ts'
import { webshopGuide } from '../webshop/guide.ts'
import type { AgentgymKind } from './agentgym-kind.ts'

const idSchema = z.object({ id: z.int() })
const playSchema = z.object({ observation: z.string(), reward: z.number(), done: z.boolean() })
const scoredSchema = playSchema.extend({ score: z.number() })

const readId = (answer: Json): number => idSchema.parse(answer).id
const resetBody = (id: number, data_idx: number) => ({ id, data_idx })
const stepBody = (id: number, action: string) => ({ id, action })

/** It renumbers its goals on another disk, and shows other distractors in another process. */
const textcraft: AgentgymKind = {
  guide: textcraftGuide,
  description: 'TextCraft: craft an item from recipes in a text world.',
  deterministic: true,
  default_max_steps: 20,
  tasks: 544,
  create: {},
  closes: true,
  readId,
  resetBody,
  readReset: (answer) => playSchema.parse(answer),
  stepBody,
  readStep: (answer) => playSchema.parse(answer),
  isValid: (_action, observation) => !/^(Could not |Wrong item format: )/.test(observation),
}

const webshopStep = z.object({ state: z.string(), reward: z.number(), done: z.boolean() })

const webshop: AgentgymKind = {
  guide: webshopGuide,
  description: 'WebShop: buy what an instruction asks for in an online store.',
  deterministic: false,
  default_max_steps: 10,
  tasks: 6910,
  closes: false,
  readId: (answer) => z.int().parse(answer),
  resetBody: (env_idx, session_id) => ({ env_idx, session_id }),
  readReset(answer) {
    const [observation] = z.tuple([z.string()]).rest(z.unknown()).parse(answer)
    return { observation, reward: 0, done: false }
  },
  stepBody: (env_idx, action) => ({ env_idx, action }),
  readStep(answer) {
    const { state, reward, done } = webshopStep.parse(answer)
    return { observation: state, reward, done }
  },
  isValid: (action) => /^(search|click)\[[^\]]+\]/.test(action),
}

const sciworldReset = z.object({ task_description: z.string(), observation: z.string(), score: z.number() })

/** The reward is the score (0–100) divided by 100. The server's own `reward` is the score that the step added. */
const sciworld: AgentgymKind = {
  guide: scienceworldGuide(false),
  description: 'ScienceWorld: carry out tasks of elementary science in a text world.',
  deterministic: true,
  default_max_steps: 30,
  tasks: 4639,
  closes: true,
  readId,
  resetBody,
  readReset(answer) {
    const { task_description, observation, score } = sciworldReset.parse(answer)
    return { observation: `${task_description}\n${observation}`, reward: score / 100, done: false }
  },
  stepBody,
  readStep(answer) {
    const { observation, score, done } = scoredSchema.parse(answer)
    return { observation, reward: score / 100, done }
  },
  isValid: (_action, observation) => !observation.startsWith('No known action matches that input'),
}

const alfworldReset = z.object({ observation: z.string(), available_actions: z.array(z.string()) })

const alfworld: AgentgymKind = {
  guide: alfworldGuide('put'),
  description: 'ALFWorld: household tasks in text.',
  deterministic: true,
  default_max_steps: 40,
  tasks: 2620,
  closes: false,
  readId,
  resetBody: (id, game) => ({ id, game, world_type: 'Text' }),
  readReset(answer) {
    const { observation, available_actions } = alfworldReset.parse(answer)
    const shown = `${observation}\nAVAILABLE ACTIONS: ${available_actions.join(',')}`
    return { observation: shown, reward: 0, done: false }
  },
  stepBody,
  readStep: (answer) => playSchema.parse(answer),
  isValid: (_action, observation) => observation !== 'Nothing happens.',
}

const babyaiReading = (answer: Json) => {
  const { observation, score, done } = scoredSchema.parse(answer)
  return { observation, reward: score, done }
}

const babyaiGuide: EnvironmentGuide = {
  rules: `You are in a world of rooms on a grid and see what is in front of you, told as text with distances in steps. You are given a goal, such as fetching a ball or opening a door.

Each answer lists the actions that are available now. They are such as:
- turn left · turn right · move forward
- go to <thing> <number> · pickup <thing> <number> · drop · toggle
- go through <door> <number> · toggle and go through <door> <number>
- check available actions

Write an action as it is listed.`,
  example: null,
}

/** 40 levels with any number of seeds each. Games 0 to 39 are the levels with the first seed. */
const babyai: AgentgymKind = {
  guide: babyaiGuide,
  description: 'BabyAI: reach a goal in a world of rooms on a grid, described in text.',
  deterministic: true,
  default_max_steps: 20,
  tasks: 800,
  closes: true,
  readId,
  resetBody,
  readReset: babyaiReading,
  stepBody,
  readStep: babyaiReading,
  isValid: (_action, observation) => !observation.startsWith('The action is not recognized.'),
}

export const agentgymKinds = { textcraft, webshop, sciworld, alfworld, babyai } satisfies Record<
  string,
  AgentgymKind
>

export type AgentgymServer = keyof typeof agentgymKinds

export const agentgymServers = Object.keys(agentgymKinds) as [AgentgymServer, ...AgentgymServer[]]
