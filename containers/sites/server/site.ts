import type { DatabaseSync } from 'node:sqlite'
import type { Context, Hono } from 'hono'
import type { html } from 'hono/html'
import type { SiteSession } from './site-sessions.ts'

/** The sites, by the names that WebArena's and VisualWebArena's task files have for their kinds. */
export const siteNames = ['shopping', 'reddit', 'classifieds'] as const
export type SiteName = (typeof siteNames)[number]

/** A part of a page. What is put into one by a template is escaped unless it is such a part itself. */
export type Html = ReturnType<typeof html>

/** The one account of a site that its visitors can log in to. It is a fixture, not a secret. */
export interface SiteAccount {
  /** What is typed as the name. */
  readonly login: string
  readonly password: string
  /** What pages show. */
  readonly name: string
}

export interface SiteVariables {
  /** The visitor's own copy of the site. */
  session: SiteSession
  /** The name of the account that the visitor is logged in to. */
  account: string | null
}

export type SiteApp = Hono<{ Variables: SiteVariables }>
export type Visit = Context<{ Variables: SiteVariables }>

/** An entry of the menu that stands on every page. */
export interface SiteLink {
  readonly text: string
  readonly address: string
}

/** One of the sites: its data, its menu and its pages. */
export interface Site {
  readonly name: SiteName
  readonly title: string
  readonly account: SiteAccount
  /** The label of the search field in the head of every page, which leads to `/search?q=`. */
  readonly searchLabel: string
  /** The pictures of its data, by what is drawn: what `drawings/make-pictures.ts` draws. */
  readonly pictures: readonly string[]
  /** Writes the tables and the first rows into an empty database: the same bytes each time. */
  fill(database: DatabaseSync): void
  links(visit: Visit): readonly SiteLink[]
  addRoutes(app: SiteApp): void
}

/**
 * The day that it is on every site. Sites have no clock: what a visitor writes is of this day, and stands behind what was
 * there before by its number.
 */
export const today = '2026-03-14'
