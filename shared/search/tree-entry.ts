import type { Message, Observation } from '../contracts/message.ts'

/**
 * What a method writes to the journal about its tree. A tree is these entries, folded ({@link SearchTree}): while the
 * episode runs, when it is read live, and in `tree.json`, by the same code.
 */
export type TreeEntry = OpenEntry | NodeEntry | BackupEntry

/** The first entry: what is played, and what stands before the first action in every prompt. */
export type OpenEntry = {
  open: {
    environment: string
    task: string
    method: string
    answer: 'last' | 'best'
    messages: Message[]
    observation: Observation
    state_hash: string | null
    /** The least reward of a success. */
    success_threshold: number
  }
}

/** A new node. `effect` is the key of the model call whose answer led to it. */
export type NodeEntry = {
  node: {
    parent: number
    action: string
    message: string
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
  }
}

/** A value, backed up from a node to the root. */
export type BackupEntry = { backup: { node: number; value: number } }
