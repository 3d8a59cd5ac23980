import { useQuery } from '@tanstack/react-query'
import type { Training, TrainingPoint } from '../../../shared/core/contracts/training.ts'
import { MetricPlot, type MetricPoint } from '../../charts/metric-plot.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { Section } from '../../components/section.tsx'
import { api } from '../../service/api.ts'
import styles from './training-page.module.css'

export function MetricsSection({ training }: { training: Training }) {
  const { id, metrics, status, usage } = training
  const points = useQuery({
    queryKey: ['training-metrics', id, metrics?.step ?? 0, usage.starts, status],
    queryFn: async () => (await api.trainingMetrics(id)).data,
    placeholderData: (before) => before,
  })
  return (
    <Section title="Loss and accuracy">
      <Loaded what="the logged steps" query={points}>
        {(logged) =>
          logged.length === 0 ? (
            <p className="soft">No step has been logged yet.</p>
          ) : (
            <div className={styles.plots}>
              <MetricPlot label="Loss" yAxis="loss" points={pointsOf(logged, ({ loss }) => loss)} />
              <AccuracyPlot logged={logged} />
            </div>
          )
        }
      </Loaded>
    </Section>
  )
}

function AccuracyPlot({ logged }: { logged: readonly TrainingPoint[] }) {
  const points = pointsOf(logged, ({ accuracy }) => accuracy)
  if (points.length === 0) return null
  return <MetricPlot label="Accuracy" yAxis="accuracy" points={points} place={1} />
}

export function pointsOf(
  logged: readonly TrainingPoint[],
  of: (point: TrainingPoint) => number | null,
): MetricPoint[] {
  return logged.flatMap((point) => {
    const value = of(point)
    return value === null ? [] : [{ step: point.step, value }]
  })
}
