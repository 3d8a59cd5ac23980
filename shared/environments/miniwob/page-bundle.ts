import { z } from 'zod'

export const pageBundleSchema = z.record(z.string(), z.string())

export type PageBundle = z.infer<typeof pageBundleSchema>

export const sharedBundle = 'shared.json'

export function bundlePath(page: string): string {
  return `pages/${page}.json`
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  png: 'image/png',
  gif: 'image/gif',
}

export function typeOfFile(path: string): string {
  return types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

const isText = (path: string) => typeOfFile(path).startsWith('text/')

export function encodePageFile(path: string, body: Uint8Array): string {
  return Buffer.from(body).toString(isText(path) ? 'utf8' : 'base64')
}

export function decodePageFile(path: string, packed: string): Buffer {
  return Buffer.from(packed, isText(path) ? 'utf8' : 'base64')
}
