import type { JsonObject } from '../contracts/json.ts'
import type { QuestionRole } from '../contracts/model-question.ts'
import type { TaskGenerator } from './generate/task-generator.ts'
import type { McpRegistration } from './mcp/mcp-registration.ts'
import type { OpenenvActions } from './openenv/openenv-environment.ts'
import type { OpenenvRegistration } from './openenv/openenv-registration.ts'
import type { Tool } from './tools/tool-call.ts'

/** One problem of an environment. Ids are stable for ever: results refer to them. */
export interface EnvironmentTask {
  readonly id: string
  /** Splits share no task; of those that come along, no goal either. */
  readonly split: string
  /** A label to select and report by, such as a difficulty. */
  readonly type: string
  /** One line for people. */
  readonly description: string
  /** How long a trajectory may get in this task, where that is not the environment's default. */
  readonly max_steps?: number
  /** A lower bound of the steps of any solution, where one is known: above the cap, the task cannot be solved within it. */
  readonly min_steps?: number
  /** The roles whose models decide its reward. A run names them, or is refused. */
  readonly asks?: readonly QuestionRole[]
  /** What it needs that is not here, each as a noun. Such a task is listed and cannot be selected. @default nothing */
  readonly lacks?: readonly string[]
}

/** What a prompt says about an environment before the first step, apart from the format of answers that a method wants. */
export interface EnvironmentGuide {
  /** Who the agent is, what it can do and how each action is written. */
  readonly rules: string
  /** Whether an action may be blocks between triple back-ticks, of several lines. @default it is one line */
  readonly blocks?: true
  /** A solved task of another goal, turn by turn; null where there is none to show. */
  readonly example: {
    readonly observation: string
    readonly turns: readonly { thought: string; action: string; observation: string }[]
  } | null
  /**
   * JavaScript that does the example's task by `act(text)`, which takes an action and returns what is observed, for those who
   * write programs.
   */
  readonly program?: string
}

/** What is known of an environment without running it. */
export interface EnvironmentFacts {
  readonly id: string
  readonly description: string
  /** How a state is gone back to: `native`, from a value; `replay`, by its actions from the start; `none`, not at all. */
  readonly snapshot: 'native' | 'replay' | 'none'
  /** Whether the same actions always have the same answers. */
  readonly deterministic: boolean
  /** The least reward of a success. */
  readonly success_threshold: number
  /** How long a trajectory may get unless the task or a method's parameters say otherwise. */
  readonly default_max_steps: number
  /** The least and the most reward that a step may answer; another is an error. @default any finite number */
  readonly reward_range?: readonly [number, number]
  /** Bytes that an observation may have. @default 2 MiB */
  readonly max_observation_bytes?: number
  /** Seconds that a reset or a step may take, of an environment in a module. @default 30 */
  readonly step_time_limit?: number
  /** Megabytes of heap of the processes that play an environment in a module. @default 512 */
  readonly memory_limit_mb?: number
  /** The roles whose models it may have asked, of which tasks say the ones they need. @default none */
  readonly asks?: readonly QuestionRole[]
  /** All tasks that it comes with, split by split, in a fixed order. */
  tasks(): readonly EnvironmentTask[]
  /** What makes further tasks, whose ids are opened and looked up like others. Absent: nothing does. */
  readonly generators?: readonly TaskGenerator[]
  /** For prompts. */
  describe(task: EnvironmentTask): EnvironmentGuide
}

export interface ResetResult<State> {
  state: State
  observation: string
}

export interface StepResult<State> {
  state: State
  observation: string
  /**
   * What the episode earns when it ends with this step, so not the step's share of it. Negative rewards are disasters: search
   * ends there with reward 0.
   */
  reward: number
  done: boolean
  /** Whether the action was understood and could be taken: what grounding accuracy counts (AgentBoard, Ma et al. 2024, section 3.2). */
  valid: boolean
  /** How much of the goal was reached at best so far, 0 to 1: the progress rate (AgentBoard, section 3.1). */
  progress: number
}

/** The rules of one task, or of all, with everything loaded that they need. Depends on its arguments alone, and does not change them. */
export interface PureCore<State extends JsonObject = JsonObject> {
  /** @throws EspalierError `unknown_task` */
  reset(task: string, seed: number): ResetResult<State>
  step(state: State, action: string): StepResult<State>
  /** The actions that are understood and possible in a state, sorted, where they can be listed. */
  validActions?(state: State): readonly string[]
}

/**
 * An environment written as a pure core: state is a JSON value, so that forking is free, a node keeps its state, and any
 * worker goes on from any node.
 *
 * @example
 * const core = await textcraft.open('textcraft-0042')
 * const { state, observation } = core.reset('textcraft-0042', 0)
 * const next = core.step(state, 'get 2 oak logs')
 */
export interface PureEnvironment<State extends JsonObject = JsonObject> extends EnvironmentFacts {
  readonly snapshot: 'native'
  readonly deterministic: true
  /**
   * Loads what playing the task needs.
   *
   * @throws EspalierError `unknown_task`
   */
  open(task: string): Promise<PureCore<State>>
}

/** A state as the process that made it gave it: bytes that are read there alone. `hash` names it. */
export interface KeptState {
  readonly bytes: Uint8Array
  readonly hash: string
}

/** Who calls the rules of an isolated environment, and where in an episode. */
export interface IsolatedCall {
  /** Callers take turns. */
  caller: string
  /** How many steps lie before the answer, its own included; 0: the reset. Null: unknown. */
  step: number | null
  /** Calls it off. */
  signal?: AbortSignal
  /** Whether the state that is given comes back as the call left it: rules may not change it. @default false */
  watch?: boolean
}

/** The state that was given, after the call, where that was to be watched. */
export interface Watched {
  given?: Uint8Array
}

export type IsolatedResult = Omit<StepResult<JsonObject>, 'state'> & { state: KeptState } & Watched

/**
 * The rules of a task that run in a process of their own, so that a call that blocks, or takes all memory, fails alone.
 *
 * @throws EspalierError `environment_failed` when a call outlasts its limit or its process ends; StepResultError for an answer
 * that the contract rules out; from every call, what the rules throw, with its name and message
 */
export interface IsolatedCore {
  reset(seed: number, call: IsolatedCall): Promise<IsolatedResult>
  step(state: KeptState, action: string, call: IsolatedCall): Promise<IsolatedResult>
  /** Null where they cannot be listed. */
  validActions(state: KeptState, call: IsolatedCall): Promise<{ actions: readonly string[] | null } & Watched>
}

/** An environment that is written as a pure core in a module of a user. */
export interface IsolatedEnvironment extends EnvironmentFacts {
  readonly snapshot: 'native'
  readonly deterministic: true
  /** The task is looked up by the first call. */
  isolate(task: string): IsolatedCore
}

/** A machine that a host plays a session on. */
export interface MachineOfSession {
  /** Names it for all who use it. */
  readonly address: string
  /** What the host is given to reach it, beside the files of the task; secrets among it. */
  readonly files: Readonly<Record<string, string>>
}

/** An environment that runs elsewhere: on hosts of an image, or behind a server that an administrator registered. */
export interface HostedEnvironment extends EnvironmentFacts {
  /**
   * Whether its hosts keep states, as far as they can, while they run: these are gone back to without their actions.
   * Of `snapshot: replay`. @default no
   */
  readonly keeps_states?: boolean
  /**
   * What a replay has to show again: `exact`, each text as it was; `matched`, the same outcome, while texts may differ, since the
   * session finds what an action names by what was seen before it. @default exact
   */
  readonly replays?: 'exact' | 'matched'
  /**
   * Sessions of an episode at one task that may stand at different states at once, where states are gone back to by replay: a search
   * goes on from the nearest. All but the first take room that no one else wants. @default 8
   */
  readonly sessions_per_episode?: number
  /** Who opens its sessions: an image of ours, or a server. */
  readonly host:
    | {
        readonly kind: 'image'
        readonly image: string
        /** What it is called there. @default its id */
        readonly environment?: string
        /** Seconds that a host may take for the start of a session or a step of it, up to 280. @default 30 */
        readonly answers_within?: number
        /**
         * What a host is given for a task beside the files of the data pack, secrets among it.
         *
         * @throws EspalierError `invalid_request` for what an administrator left out
         */
        files?(task: string): Promise<Readonly<Record<string, string>>>
        /** Addresses that only one session may use at a time, for as long as it lives. @default none */
        alone?(task: string): Promise<readonly string[]>
        /**
         * Machines of which a session has one alone, for as long as it lives. @default none: sessions are played on the host itself
         *
         * @throws EspalierError `invalid_request` for what an administrator left out
         */
        machines?(): readonly MachineOfSession[]
      }
    | {
        readonly kind: 'agentgym'
        readonly server: string
        readonly address: string
        /** Sessions at once, of one worker. */
        readonly max_sessions: number
      }
    | {
        readonly kind: 'address'
        readonly address: string
        /** What it is called there. */
        readonly environment: string
      }
    | {
        readonly kind: 'openenv'
        readonly address: string
        readonly registration: OpenenvRegistration
        /** How an agent's text becomes an action of the server. */
        readonly actions: OpenenvActions
      }
    | {
        readonly kind: 'mcp'
        readonly registration: McpRegistration
        /** The folder that its program's folder is taken from. */
        readonly folder: string
        /** What an agent may call. */
        readonly tools: readonly Tool[]
      }
}

export type Environment = PureEnvironment | IsolatedEnvironment | HostedEnvironment

export function isPure(environment: Environment): environment is PureEnvironment {
  return 'open' in environment
}

export function isIsolated(environment: Environment): environment is IsolatedEnvironment {
  return 'isolate' in environment
}

export function isHosted(environment: Environment): environment is HostedEnvironment {
  return 'host' in environment
}
