/** The errors that AgentGym's servers answer as `{"error": text}` with the status 200. */
export class AgentgymError extends Error {
  override readonly name = 'AgentgymError'

  static unknown(id: number): AgentgymError {
    return new AgentgymError(`The id ${id} is not valid.`)
  }

  static deleted(id: number): AgentgymError {
    return new AgentgymError(`The task with environment ${id} has been deleted.`)
  }

  static finished(id: number): AgentgymError {
    return new AgentgymError(`The task with environment ${id} has finished.`)
  }
}
