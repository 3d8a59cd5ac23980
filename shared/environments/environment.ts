import type { JsonObject } from '../core/contracts/json.ts'
import type { QuestionRole } from '../core/contracts/model-question.ts'
import type { Picture, SentPicture } from '../core/contracts/picture.ts'
import type { TaskLevel } from '../core/contracts/task-level.ts'
import type { TaskGenerator } from './generate/task-generator.ts'
import type { Bridge } from './in-process/bridge.ts'
import type { McpRegistration } from './mcp/mcp-registration.ts'
import type { OpenenvActions } from './openenv/openenv-environment.ts'
import type { OpenenvRegistration } from './openenv/openenv-registration.ts'
import type { SessionSource } from './session-source.ts'
import type { ActionTool } from './tools/action-tool.ts'
import type { Tool } from './tools/tool-call.ts'

export interface EnvironmentTask {
  readonly id: string
  /** Splits share no task. Splits of bundled tasks share no goal either. */
  readonly split: string
  readonly type: string
  readonly description: string
  readonly max_steps?: number
  /** A known lower bound of the steps of any solution. Above the cap, the task cannot be solved within it. */
  readonly min_steps?: number
  /** Its level in the benchmark's own labels, as AgentBoard's. @default it has none */
  readonly level?: TaskLevel
  readonly asks?: readonly QuestionRole[]
  /**
   * Its missing requirements, each as a noun. The catalogue lists such a task, but a run cannot select it. @default
   * nothing
   */
  readonly lacks?: readonly string[]
}

export interface EnvironmentGuide {
  readonly rules: string
  /** True if an action may be several lines between triple back-ticks. @default one line */
  readonly blocks?: true
  /** The actions as tools, for runs whose agent calls tools. @default one tool, `act`, that takes the action text */
  readonly tools?: readonly ActionTool[]
  readonly example: {
    readonly observation: string
    readonly turns: readonly { thought: string; action: string; observation: string }[]
  } | null
  /**
   * JavaScript for methods that write programs. It solves the example's task with `act(text)`, which takes an action
   * and returns the observation.
   */
  readonly program?: string
}

export interface EnvironmentFacts {
  readonly id: string
  readonly description: string
  /**
   * The way back to a state: `native`, from a value; `replay`, by its actions from the start; `none`, no way back.
   */
  readonly snapshot: 'native' | 'replay' | 'none'
  readonly deterministic: boolean
  readonly success_threshold: number
  readonly default_max_steps: number
  /** The minimum and maximum reward of a step. Other rewards are an error. @default any finite number */
  readonly reward_range?: readonly [number, number]
  /** Maximum bytes of an observation. @default 2 MiB */
  readonly max_observation_bytes?: number
  /** Time limit of a reset or a step, in seconds, for an environment in a module. @default 30 */
  readonly step_time_limit?: number
  /** Heap limit of each process that plays an environment in a module, in megabytes. @default 512 */
  readonly memory_limit_mb?: number
  readonly asks?: readonly QuestionRole[]
  /** Ends the episode of a search that stops before its end, to score it. @default every state has its reward */
  readonly closing_action?: string
  tasks(): readonly EnvironmentTask[]
  readonly generators?: readonly TaskGenerator[]
  /** A task's canonical form: equal for tasks that differ in the names of their objects alone. */
  formOf?(task: string): Promise<string>
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
   * The episode's total reward if it ends with this step, not the step's share of it. Negative rewards are disasters:
   * search ends there with reward 0.
   */
  reward: number
  done: boolean
  /**
   * True if the action was understood and possible: the basis of grounding accuracy (AgentBoard, Ma et al. 2024,
   * section 3.2).
   */
  valid: boolean
  /** The best share of the goal reached so far, 0 to 1: the progress rate (AgentBoard, section 3.1). */
  progress: number
}

/** The rules of one task, or of all, fully loaded. Pure: calls depend on their arguments alone, and do not change them. */
export interface PureCore<State extends JsonObject = JsonObject> {
  reset(task: string, seed: number): ResetResult<State>
  step(state: State, action: string): StepResult<State>
  validActions?(state: State): readonly string[]
}

/**
 * An environment written as a pure core. State is a JSON value, so forking is free, nodes store their states, and any
 * worker can continue from any node.
 */
export interface PureEnvironment<State extends JsonObject = JsonObject> extends EnvironmentFacts {
  readonly snapshot: 'native'
  readonly deterministic: true
  open(task: string): Promise<PureCore<State>>
}

export interface KeptState {
  readonly bytes: Uint8Array
  readonly hash: string
}

export interface IsolatedCall {
  caller: string
  step: number | null
  signal?: AbortSignal
  /** Returns the state after the call, to detect rules that change it. @default false */
  watch?: boolean
}

export interface Watched {
  given?: Uint8Array
}

export type IsolatedResult = Omit<StepResult<JsonObject>, 'state'> & { state: KeptState } & Watched

/**
 * The rules of a task in a process of their own, so that a call that blocks or exhausts memory fails alone.
 * @throws EspalierError `environment_failed` when a call outlasts its limit or its process ends; StepResultError for
 * an answer that breaks the contract; from every call, any error of the rules, with its name and message
 */
export interface IsolatedCore {
  reset(seed: number, call: IsolatedCall): Promise<IsolatedResult>
  step(state: KeptState, action: string, call: IsolatedCall): Promise<IsolatedResult>
  validActions(state: KeptState, call: IsolatedCall): Promise<{ actions: readonly string[] | null } & Watched>
}

export interface IsolatedEnvironment extends EnvironmentFacts {
  readonly snapshot: 'native'
  readonly deterministic: true
  isolate(task: string): IsolatedCore
}

export interface MachineOfSession {
  readonly address: string
  readonly files: Readonly<Record<string, string>>
}

export interface HostedEnvironment extends EnvironmentFacts {
  /** True if hosts keep snapshots, so that few restores need a replay. Only with `snapshot: replay`. @default no */
  readonly keeps_states?: boolean
  /**
   * The check of a replay. `exact`: every text must be equal. `matched`: the outcome must be equal but texts may
   * differ, because the session resolves elements by earlier observations. @default exact
   */
  readonly replays?: 'exact' | 'matched'
  /**
   * Maximum sessions of an episode at one task, each at its own state, if states are restored by replay. A search
   * continues from the nearest. All but the first use only spare room. @default 8
   */
  readonly sessions_per_episode?: number
  readonly host:
    | {
        readonly kind: 'image'
        readonly image: string
        readonly environment?: string
        /** Seconds that a host may take to start a session or to step, up to 680 (280 on Lambda). @default 30 */
        readonly answers_within?: number
        // The end of the error if a start takes longer: its cause, and its cure.
        readonly slow_start?: string
        /**
         * The files that a host needs for a task beside those of the data pack. May contain secrets.
         * @throws EspalierError `invalid_request` for a setting missing in the registration
         */
        files?(task: string): Promise<Readonly<Record<string, string>>>
        /** Addresses that only one session may use at a time, for its whole life. @default none */
        alone?(task: string): Promise<readonly string[]>
        /**
         * Machines that each serve one session exclusively, for its whole life. @default none: sessions run on the
         * host itself
         * @throws EspalierError `invalid_request` for a setting missing in the registration
         */
        machines?(): readonly MachineOfSession[]
      }
    | {
        readonly kind: 'agentgym'
        readonly server: string
        readonly address: string
        readonly max_sessions: number
      }
    | {
        readonly kind: 'address'
        readonly address: string
        readonly environment: string
      }
    | {
        readonly kind: 'openenv'
        readonly address: string
        readonly registration: OpenenvRegistration
        readonly actions: OpenenvActions
      }
    | {
        readonly kind: 'mcp'
        readonly registration: McpRegistration
        readonly folder: string
        readonly tools: readonly Tool[]
      }
    | {
        readonly kind: 'in-process'
        readonly bridge: Bridge
        sessions(pictures: { put(sent: SentPicture): Promise<Picture> }): SessionSource
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
