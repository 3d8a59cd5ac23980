import { availableMemory } from '../../shared/core/programs/available-memory.ts'

const every = 60_000

export interface HostMeasures {
  sessions: number
  slots: number
}

/**
 * A line of CloudWatch's embedded metric format, which it reads from the log. The dimensions name the stage and the
 * image, so that one stage's hosts raise no alarm of another.
 */
export function hostMetricsLine(
  dimensions: { stage: string; image: string },
  { sessions, slots }: HostMeasures,
  { now, memory, available }: { now: number; memory: number; available: number },
): string {
  const values = {
    HostSessions: sessions,
    HostSlotsUsed: Math.round((100 * sessions) / slots),
    HostMemoryUsed: Math.round((100 * memory) / available),
  }
  const units = { HostSessions: 'Count', HostSlotsUsed: 'Percent', HostMemoryUsed: 'Percent' }
  return JSON.stringify({
    _aws: {
      Timestamp: now,
      CloudWatchMetrics: [
        {
          Namespace: 'Espalier',
          Dimensions: [['service', ...Object.keys(dimensions)]],
          Metrics: Object.entries(units).map(([Name, Unit]) => ({ Name, Unit })),
        },
      ],
    },
    service: 'espalier',
    ...dimensions,
    ...values,
  })
}

export function reportHost(
  { ESPALIER_STAGE: stage, ESPALIER_HOST_IMAGE: image }: Readonly<Record<string, string | undefined>>,
  measure: () => HostMeasures,
): () => void {
  if (stage === undefined || image === undefined) return () => undefined
  const available = availableMemory()
  const timer = setInterval(() => {
    const here = { now: Date.now(), memory: process.memoryUsage.rss(), available }
    process.stderr.write(`${hostMetricsLine({ stage, image }, measure(), here)}\n`)
  }, every)
  timer.unref()
  return () => clearInterval(timer)
}
