import { hash } from 'node:crypto'
import type { Episode } from '../../core/contracts/episode.ts'
import { canonicalJson } from './canonical-json.ts'

export function endDigest({ status, result }: Pick<Episode, 'status' | 'result'>): string {
  return hash('sha256', canonicalJson([result?.status ?? status, result]), 'hex').slice(0, 16)
}
