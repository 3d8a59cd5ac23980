import type { AlfworldOptions } from './alfworld-options.ts'
import { type Game, nothingHappens } from './game.ts'

const checkActions = 'check valid actions'

export const notValid =
  'The action is not valid and therefore takes no effect. Please remember to satisfy the restriction of actions.'

/**
 * Wraps a game as a run's options say. AgentBoard's language:
 * - a full stop behind an action is dropped, and `put x in y` or `put x on y` is read as `put x in/on y`;
 * - `check valid actions` lists the possible actions;
 * - `look` repeats the text of the last `go to` or `open`, or the room at first;
 * - `You arrive at loc N.` is left out.
 *
 * ETO's language leaves out `You arrive at loc N.`, and nothing else.
 * @see Ma et al. 2024, AgentBoard, its ALFWorld environment and task; LearnAct's is the same except for its refusal
 */
export function wrapGame(game: Game, { language, refusal }: AlfworldOptions): Game {
  const worded = refusal === 'not_valid' ? withRefusal(game, notValid) : game
  if (language === 'agentboard') return withAgentboard(worded)
  return language === 'eto' ? withoutPlaces(worded) : worded
}

// ETO leaves out the number of a place. Later games name the place instead, and their text stays.
function withoutPlaces(game: Game): Game {
  return {
    ...game,
    step(state, action) {
      const result = game.step(state, action)
      return { ...result, observation: withoutPlace(result.observation) }
    },
  }
}

function withRefusal(game: Game, sentence: string): Game {
  return {
    ...game,
    step(state, action) {
      const result = game.step(state, action)
      return result.observation.includes(nothingHappens) ? { ...result, observation: sentence } : result
    },
  }
}

function withAgentboard(game: Game): Game {
  return {
    reset() {
      const { state, observation } = game.reset()
      return { state: { ...state, seen: observation.split('\n', 1)[0] ?? '' }, observation }
    },
    step(state, text) {
      const action = readAction(text)
      if (action === checkActions) {
        const still = game.step(state, '')
        const listed = [...game.validActions(state), checkActions].join(', ')
        return { ...still, observation: `Choose an action from these valid actions: ${listed}`, valid: true }
      }
      const result = game.step(state, action)
      if (action === 'look') return { ...result, observation: withoutPlace(state.seen ?? '') }
      const isSeen = result.valid && (action.includes('go to') || action.includes('open'))
      return {
        ...result,
        state: isSeen ? { ...result.state, seen: result.observation } : result.state,
        observation: withoutPlace(result.observation),
      }
    },
    validActions: (state) => [...game.validActions(state), checkActions].sort(),
  }
}

function readAction(text: string): string {
  let action = text.trim()
  if (action.includes('put')) {
    if (action.includes(' in ')) action = action.replaceAll(' in ', ' in/on ')
    else action = action.replaceAll(' on ', ' in/on ')
  }
  return action.endsWith('.') ? action.slice(0, -1).trim() : action
}

function withoutPlace(observation: string): string {
  return observation.replace(/^You arrive at loc .*?\. /, '')
}
