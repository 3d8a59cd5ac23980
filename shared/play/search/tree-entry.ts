import type { LearnedAction } from '../../core/contracts/library.ts'
import type { MemoryNote } from '../../core/contracts/memory.ts'
import type { Message, Observation, Thinking } from '../../core/contracts/message.ts'
import type { PrimitiveStep, TreeAnswer, TreeTool } from '../../core/contracts/tree.ts'

/**
 * A journal entry about a method's tree. A tree is the fold of these entries ({@link SearchTree}): while the episode
 * runs, when it is read live, and in `tree.json`, by the same code.
 */
export type TreeEntry =
  | OpenEntry
  | NodeEntry
  | BackupEntry
  | CommitEntry
  | EndEntry
  | UnreadEntry
  | NoteEntry
  | ActionEntry

export type OpenEntry = {
  open: {
    environment: string
    task: string
    method: string
    answer: TreeAnswer
    messages: Message[]
    layout?: 'eto'
    tools?: TreeTool[]
    observation: Observation
    state_hash: string | null
    runtime?: string
    success_threshold: number
  }
}

/** A new node. `effect` is the key of the model call whose answer led to it. */
export type NodeEntry = {
  node: {
    parent: number
    action: string
    message: string
    thinking?: Thinking
    observation: Observation
    reward: number
    terminal: boolean
    done: boolean
    disaster: boolean
    valid: boolean
    progress: number
    prior: number
    state_hash: string | null
    effect: string
    /** The environment's own steps, if the action is not exactly one of them. */
    primitives?: PrimitiveStep[]
    trace?: string
    /** The node whose state this one has, if its action did not go to the environment. */
    state_of?: number
  }
}

export type BackupEntry = { backup: { node: number; value: number } }

/** The node that the method has committed to: the end of the path that it would take in the real environment. */
export type CommitEntry = { commit: { node: number } }

/** The result of ending the episode in the state of a node that had not ended. */
export type EndEntry = {
  end: { node: number; result: { reward: number; progress: number; terminal: true; done: true } }
}

export type NoteEntry = { note: MemoryNote }

export type ActionEntry = { learned: LearnedAction }

export type UnreadEntry = { unread: { effect: string; answers: number } }
