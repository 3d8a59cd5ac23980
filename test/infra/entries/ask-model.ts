import { endpointSchema } from '../../../shared/core/contracts/endpoint-configuration.ts'
import { openModels } from '../../../shared/play/models/model-pool.ts'
import { chatRequest } from '../../play/models/chat-request.ts'
import { recordingMeter } from '../../play/models/recording-meter.ts'

export async function handler(address: string): Promise<string> {
  const endpoint = endpointSchema.parse({ kind: 'openai', base_url: address })
  const models = openModels(new Map([['mine', endpoint]]), { environment: {} })
  const answer = await models.model('mine').complete(chatRequest(), { meter: recordingMeter() })
  await models.close()
  return answer.choices[0]?.content ?? ''
}
