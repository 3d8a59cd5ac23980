import { useQuery } from '@tanstack/react-query'
import { PictureRow } from '../../components/picture.tsx'
import { api } from '../../service/api.ts'
import type { NodePlace } from './node-panel.tsx'

export function NodePictures({ run, episode, node }: NodePlace) {
  const { data } = useQuery({
    queryKey: ['node', run, episode, node],
    queryFn: () => api.node(run, episode, node),
  })
  const pictures = data?.observation.filter((part) => part.type === 'blob') ?? []
  return pictures.length === 0 ? null : <PictureRow pictures={pictures} of={`node ${node}`} />
}
