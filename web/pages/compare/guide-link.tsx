import { Link } from 'react-router'

/** Links to the description of each figure, its formula and its source. */
export function GuideLink() {
  return <Link to="/guide/reports">What the figures mean</Link>
}
