/** What a model is told before it plays: the words of one method in one environment. */
export interface Prompt {
  /** Who it is, what the rules are, how to answer. */
  instructions: string
  /** A solved task, turn by turn. */
  example: {
    observation: string
    turns: { thought: string; action: string; observation: string }[]
  }
}
