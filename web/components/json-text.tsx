import type { Json } from '../../shared/core/contracts/json.ts'
import { showControls } from '../format/show-controls.ts'

export function JsonText({ of }: { of: Json }) {
  const text = typeof of === 'string' ? of : JSON.stringify(of)
  return <span dir="auto">{showControls(text)}</span>
}
