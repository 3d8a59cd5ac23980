import { z } from 'zod'
import { type TrainingPoint, trainingPointSchema } from '../../core/contracts/training.ts'
import type { Objects } from '../../core/world/ports.ts'

const metricsKey = (training: string) => `trainings/${training}/metrics.json`

/**
 * Stores every logged step. A trainer that has lost its files begins with the points after its checkpoint. Earlier
 * points stay.
 */
export async function storePoints(
  objects: Pick<Objects, 'get' | 'put'>,
  id: string,
  points: TrainingPoint[],
): Promise<void> {
  const first = points[0]?.step ?? 0
  const earlier = first > 1 ? await readPoints(objects, id) : []
  const all = [...earlier.filter(({ step }) => step < first), ...points]
  await objects.put(metricsKey(id), Buffer.from(JSON.stringify(all)), {
    content_type: 'application/json',
  })
}

export async function readPoints(objects: Pick<Objects, 'get'>, id: string): Promise<TrainingPoint[]> {
  const object = await objects.get(metricsKey(id))
  if (object === null) return []
  return z.array(trainingPointSchema).parse(JSON.parse(Buffer.from(object.body).toString('utf8')))
}
