import { Link } from 'react-router'

/** Leads to where each figure, its formula and its source are told. */
export function GuideLink() {
  return <Link to="/guide/reports">What the figures mean</Link>
}
