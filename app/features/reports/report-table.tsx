/** The numbers behind a chart. The name of a row leads to the sales that it consists of. */
import { Link } from 'react-router'
import css from './report-table.module.css'

export type Cell = string
export type TableRow = { name: string; to: string | null; cells: Cell[] }
type Props = { caption: string; head: string[]; rows: TableRow[]; total: Cell[] }

export function ReportTable({ caption, head, rows, total }: Props) {
  const [first, ...others] = head
  return (
    <table className={css.table}>
      <caption className="unseen">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{first}</th>
          {others.map((name) => (
            <th key={name} scope="col" className={css.number}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, to, cells }, at) => (
          <tr key={at}>
            <th scope="row">{to ? <Link to={to}>{name}</Link> : name}</th>
            <Numbers cells={cells} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">Total</th>
          <Numbers cells={total} />
        </tr>
      </tfoot>
    </table>
  )
}

const Numbers = ({ cells }: { cells: Cell[] }) =>
  cells.map((cell, at) => (
    <td key={at} className={`${css.number} tabular`}>
      {cell}
    </td>
  ))
