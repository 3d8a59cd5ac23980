import { formatNumber } from '../../shared/core/client/format-quantity.ts'
import { Table } from '../components/table.tsx'
import { showControls } from '../format/show-controls.ts'
import type { LineSeries } from './line-plot.tsx'
import { showEstimate } from './show-estimate.ts'

export function LineTable({
  label,
  series,
  xAxis,
  formatX,
}: {
  label: string
  series: readonly LineSeries[]
  xAxis: string
  formatX: (value: number) => string
}) {
  const places = (series[0]?.points ?? []).map(({ x }) => x)
  return (
    <Table label={label}>
      <thead>
        <tr>
          <th scope="col" className="number">
            {xAxis}
          </th>
          {series.map(({ id, name }) => (
            <th key={id} scope="col" className="number" dir="auto">
              {showControls(name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {places.map((place, index) => (
          <tr key={place}>
            <th scope="row" className="number">
              {formatX(place)}
            </th>
            {series.map(({ id, points }) => {
              const point = points[index]
              return (
                <td key={id} className="number">
                  {point ? showEstimate(point.y, formatNumber) : '–'}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
