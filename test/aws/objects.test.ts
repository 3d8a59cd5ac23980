import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Objects } from '../../shared/core/world/ports.ts'
import { atOnce, bytes, uniqueName } from '../core/contracts/world/contract-world.ts'
import { type AwsTestWorld, openAwsTestWorld } from './aws-test-world.ts'
import { whereShown } from './not-shown.ts'

describe('objects in S3', () => {
  let opened: AwsTestWorld
  let objects: Objects
  beforeAll(async () => {
    opened = await openAwsTestWorld()
    objects = opened.world.objects
  })
  afterAll(() => opened.dispose())

  test('bodies that go in parts obey conditions', async () => {
    const key = uniqueName()
    const body = (fill: number) => new Uint8Array(16 * 1024 * 1024 + 1).fill(fill)
    const created = await objects.put(key, body(1), { if_none_match: '*', content_type: 'application/gzip' })
    if (!created.written) throw new Error('Nothing else creates this key.')
    expect(await objects.put(key, body(2), { if_none_match: '*' })).toEqual({ written: false })
    const stored = await objects.get(key)
    expect(Buffer.compare(stored?.body ?? new Uint8Array(), body(1))).toBe(0)
    expect(await objects.get(key, { start: -2 })).toMatchObject({ size: body(0).length })
  })

  whereShown('conditions_of_uploads', () => {
    test('bodies that go in parts replace the one with their etag only', async () => {
      const key = uniqueName()
      const body = (fill: number) => new Uint8Array(16 * 1024 * 1024).fill(fill)
      const created = await objects.put(key, body(1))
      if (!created.written) throw new Error('An unconditional put must write.')
      const replaced = await objects.put(key, body(3), { if_match: created.etag })
      expect(replaced).toMatchObject({ written: true })
      expect(await objects.put(key, body(4), { if_match: created.etag })).toEqual({ written: false })
      expect(await objects.put(`${key}-absent`, body(5), { if_match: created.etag })).toEqual({
        written: false,
      })
    })

    test('of large bodies that race for one key one is written', async () => {
      const key = uniqueName()
      const body = (fill: number) => new Uint8Array(16 * 1024 * 1024).fill(fill)
      const results = await atOnce(3, (index) => objects.put(key, body(index), { if_none_match: '*' }))
      expect(results.filter(({ written }) => written)).toHaveLength(1)
    })
  })

  test('lists longer than a page of S3 come whole', async () => {
    const folder = `${uniqueName()}/`
    const names = Array.from({ length: 1005 }, (_, index) => `${folder}${String(index).padStart(4, '0')}`)
    for (let from = 0; from < names.length; from += 100) {
      await Promise.all(names.slice(from, from + 100).map((name) => objects.put(name, bytes('x'))))
    }
    const { objects: listed, more } = await objects.list(folder, { limit: 1004 })
    expect(listed.map(({ key }) => key)).toEqual(names.slice(0, 1004))
    expect(more).toBe(true)
    expect(await objects.list(folder, { limit: 1005 })).toMatchObject({ more: false })
  })

  test('an empty body has empty ranges, and a body without a type has none', async () => {
    const key = uniqueName()
    await objects.put(key, new Uint8Array())
    for (const range of [{ start: 0 }, { start: -5 }, { start: 3, end: 4 }]) {
      const stored = await objects.get(key, range)
      expect(stored).toMatchObject({ size: 0, content_type: null })
      expect(stored?.body).toHaveLength(0)
    }
  })

  test('a range that is none is refused', async () => {
    await expect(objects.get('a', { start: 3, end: 1 })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('a signed address gives the body to any caller that has it', async () => {
    const key = `${uniqueName()}/données 1+1.jsonl`
    await objects.put(key, bytes('a line'))
    const { url } = await objects.sign(key, { expires_in: 60 })
    const answer = await fetch(url)
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('a line')
    expect(new URL(url).searchParams.get('response-content-disposition')).toMatch(/^attachment; filename=/)
  })

  test('an address is signed for a week at most, and says so', async () => {
    const before = Date.now()
    const { expires_at } = await objects.sign('a', { expires_in: 1_000_000_000 })
    expect(expires_at.getTime() - before).toBeLessThanOrEqual(7 * 24 * 3600 * 1000)
  })

  whereShown('presign_headers', () => {
    test('a download bears the name that was asked for', async () => {
      const key = uniqueName()
      await objects.put(key, bytes('a line'))
      const { url } = await objects.sign(key, { expires_in: 60, file_name: 'Ergebnisse ä.jsonl' })
      expect((await fetch(url)).headers.get('content-disposition')).toBe(
        `attachment; filename="Ergebnisse _.jsonl"; filename*=UTF-8''Ergebnisse%20%C3%A4.jsonl`,
      )
    })
  })

  whereShown('presign_expiry', () => {
    test('an address that has expired gives nothing', async () => {
      const key = uniqueName()
      await objects.put(key, bytes('a line'))
      const { url } = await objects.sign(key, { expires_in: 1 })
      await wait(3000)
      expect((await fetch(url)).status).toBe(403)
    })
  })
})
