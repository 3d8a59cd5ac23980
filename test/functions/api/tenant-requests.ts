export const kinds = ['run', 'import', 'dataset', 'loop', 'key'] as const
export type Kind = (typeof kinds)[number]

/** What each kind of object is asked for, beside being created. The first is how a single one is read. */
export const requests: Record<Kind, readonly [method: string, path: string][]> = {
  run: [
    ['GET', '/v1/runs/ID'],
    ['GET', '/v1/runs/ID/episodes'],
    ['GET', '/v1/runs/ID/episodes/ep-0000000'],
    ['GET', '/v1/runs/ID/episodes/ep-0000000/tree'],
    ['GET', '/v1/runs/ID/episodes/ep-0000000/trajectory'],
    ['GET', '/v1/runs/ID/episodes/ep-0000000/calls'],
    ['GET', '/v1/runs/ID/episodes/ep-0000000/growth'],
    ['GET', '/v1/runs/ID/episodes/ep-0000000/waterfall'],
    ['GET', '/v1/runs/ID/episodes/ep-0000000/nodes/0'],
    ['GET', '/v1/runs/ID/judgements'],
    ['GET', '/v1/runs/ID/scores'],
    ['GET', '/v1/runs/ID/report'],
    ['GET', '/v1/runs/ID/curve'],
    ['GET', '/v1/runs/ID/events'],
    ['GET', '/v1/transcripts?q=start&run=ID'],
    ['PATCH', '/v1/runs/ID'],
    ['POST', '/v1/runs/ID/cancel'],
    ['POST', '/v1/runs/ID/pause'],
    ['POST', '/v1/runs/ID/resume'],
    ['POST', '/v1/runs/ID/extend'],
    ['POST', '/v1/runs/ID/retry'],
  ],
  import: [
    ['GET', '/v1/trajectories/ID'],
    ['GET', '/v1/trajectories/ID/trajectories'],
    ['GET', '/v1/trajectories/ID/rejections'],
    ['POST', '/v1/trajectories/ID/rows?first=1'],
    ['PATCH', '/v1/trajectories/ID'],
  ],
  dataset: [
    ['GET', '/v1/datasets/ID'],
    ['GET', '/v1/datasets/ID/files'],
    ['GET', '/v1/datasets/ID/rows'],
    ['GET', '/v1/datasets/ID/readme'],
    ['PATCH', '/v1/datasets/ID'],
  ],
  loop: [
    ['GET', '/v1/loops/ID'],
    ['GET', '/v1/loops/ID/report'],
    ['GET', '/v1/loops/ID/report?format=markdown'],
    ['POST', '/v1/loops/ID/pause'],
    ['POST', '/v1/loops/ID/resume'],
    ['POST', '/v1/loops/ID/cancel'],
  ],
  key: [['DELETE', '/v1/keys/ID']],
}

export const unknown: Record<Kind, string> = {
  run: 'run-0000000000-00000000',
  import: 'import-0000000000-00000000',
  dataset: 'dataset-0000000000-00000000',
  loop: 'loop-0000000000-00000000',
  key: 'key-0000000000-00000000',
}
