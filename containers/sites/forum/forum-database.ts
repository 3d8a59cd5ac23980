import type { DatabaseSync } from 'node:sqlite'
import { pictureFile } from '../server/pictures.ts'
import type { SiteSession } from '../server/site-sessions.ts'
import posts from './posts.data.json' with { type: 'json' }

export interface Forum {
  slug: string
  name: string
  text: string
  subscribed: 0 | 1
}

export interface Post {
  id: number
  forum: string
  author: string
  date: string
  title: string
  body: string
  picture: string | null
  score: number
  vote: number
  comments: number
}

export interface Comment {
  id: number
  post: number
  parent: number | null
  author: string
  date: string
  body: string
  score: number
  vote: number
}

type PostRow = [
  forum: string,
  author: string,
  date: string,
  score: number,
  title: string,
  body: string,
  picture: string | null,
  comments: [author: string, score: number, body: string][],
]

const postRows = posts.posts as PostRow[]

export const postPictures = postRows.flatMap(([, , , , , , picture]) => (picture === null ? [] : [picture]))

const tables = `
  create table forum (slug text primary key, name text not null, text text not null, subscribed integer not null);
  create table person (name text primary key, biography text not null);
  create table post (
    id integer primary key autoincrement, forum text not null references forum, author text not null references person,
    date text not null, title text not null, body text not null, picture text, others integer not null,
    vote integer not null);
  create table comment (
    id integer primary key autoincrement, post integer not null references post on delete cascade,
    parent integer references comment on delete cascade, author text not null references person,
    date text not null, body text not null, others integer not null, vote integer not null);
  create view scored_post as
    select post.*, others + vote as score, (select count(*) from comment where comment.post = post.id) as comments
    from post;
`

export function fillForum(database: DatabaseSync): void {
  database.exec(tables)
  const addForum = database.prepare('insert into forum values (?, ?, ?, ?)')
  for (const [index, forum] of posts.forums.entries()) addForum.run(...forum, index < 2 ? 1 : 0)
  const names = new Set(
    postRows.flatMap(([, author, , , , , , comments]) => [author, ...comments.map(([by]) => by)]),
  )
  const addPerson = database.prepare('insert into person values (?, ?)')
  for (const name of names) addPerson.run(name, (posts.people as Record<string, string>)[name] ?? '')
  const addPost = database.prepare(
    'insert into post (forum, author, date, title, body, picture, others, vote) values (?, ?, ?, ?, ?, ?, ?, 0)',
  )
  const addComment = database.prepare(
    'insert into comment (post, author, date, body, others, vote) values (?, ?, ?, ?, ?, 0)',
  )
  const inOrder = postRows.toSorted((one, other) => (one[2] < other[2] ? -1 : 1))
  for (const [forum, author, date, score, title, body, picture, comments] of inOrder) {
    const { lastInsertRowid } = addPost.run(
      forum,
      author,
      date,
      title,
      body,
      picture === null ? null : pictureFile(picture),
      score,
    )
    for (const [by, others, text] of comments) addComment.run(lastInsertRowid, by, date, text, others)
  }
}

export function listForums({ sql }: SiteSession): Forum[] {
  return sql.all`select * from forum order by name` as unknown as Forum[]
}

export function findForum({ sql }: SiteSession, slug: string): Forum | undefined {
  return sql.get`select * from forum where slug = ${slug}` as Forum | undefined
}

export function listPosts({ sql }: SiteSession): Post[] {
  return sql.all`select * from scored_post order by id desc` as unknown as Post[]
}

export function findPost({ sql }: SiteSession, id: string): Post | undefined {
  return sql.get`select * from scored_post where id = ${id}` as Post | undefined
}

export function listComments({ sql }: SiteSession): Comment[] {
  return sql.all`select comment.*, others + vote as score from comment order by id` as unknown as Comment[]
}

export function findComment({ sql }: SiteSession, id: string): Comment | undefined {
  return sql.get`select comment.*, others + vote as score from comment where id = ${id}` as
    | Comment
    | undefined
}

export const postAddress = ({ forum, id }: Pick<Post, 'forum' | 'id'>): string => `/f/${forum}/${id}`
