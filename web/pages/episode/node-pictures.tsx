import { useQuery } from '@tanstack/react-query'
import { PictureRow } from '../../components/picture.tsx'
import { api } from '../../service/api.ts'
import type { NodePlace } from './node-panel.tsx'

export function NodePictures({ run, episode, node, caption }: NodePlace & { caption?: string }) {
  const { data } = useQuery({
    queryKey: ['node', run, episode, node],
    queryFn: () => api.node(run, episode, node),
  })
  const pictures = data?.observation.filter((part) => part.type === 'blob') ?? []
  if (pictures.length === 0) return null
  const row = <PictureRow pictures={pictures} of={`node ${node}`} />
  if (caption === undefined) return row
  return (
    <figure>
      <figcaption className="soft">{caption}</figcaption>
      {row}
    </figure>
  )
}
