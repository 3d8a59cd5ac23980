import type { ChatModel } from '../shared/play/models/chat-model.ts'

const actions = ['get 1 oak logs', 'get 2 stone', 'inventory', 'get 1 sand', 'get 1 iron ore', 'look around']

export const scriptedModel: ChatModel = {
  async complete({ seed }, { meter }) {
    const reservation = await meter.reserve({ tokens: 1000, cost: 0.001 })
    const spent = { input_tokens: 500, output_tokens: 20, cost: 0.0005 }
    await reservation.settle(spent)
    const content = `Thought: sample ${seed}.\nAction: ${actions[seed % actions.length]}`
    return { choices: [{ content, finish_reason: 'stop' }], model_calls: 1, ...spent }
  },
}
