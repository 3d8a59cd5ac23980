import type { DatabaseSync } from 'node:sqlite'
import type { Context, Hono } from 'hono'
import type { html } from 'hono/html'
import type { SiteSession } from './site-sessions.ts'

export const siteNames = ['shopping', 'reddit', 'classifieds'] as const
export type SiteName = (typeof siteNames)[number]

export type Html = ReturnType<typeof html>

export interface SiteAccount {
  readonly login: string
  readonly password: string
  readonly name: string
}

export interface SiteVariables {
  session: SiteSession
  account: string | null
}

export type SiteApp = Hono<{ Variables: SiteVariables }>
export type Visit = Context<{ Variables: SiteVariables }>

export interface SiteLink {
  readonly text: string
  readonly address: string
}

export interface Site {
  readonly name: SiteName
  readonly title: string
  readonly account: SiteAccount
  readonly searchLabel: string
  readonly pictures: readonly string[]
  fill(database: DatabaseSync): void
  links(visit: Visit): readonly SiteLink[]
  addRoutes(app: SiteApp): void
}

/**
 * The date on every site. Sites have no clock: a visitor's entries have this date, and sort after earlier ones by
 * number.
 */
export const today = '2026-03-14'
