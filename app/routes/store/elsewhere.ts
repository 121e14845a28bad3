import { href, redirect } from 'react-router'

/** NAV-19 */
export const loader = () => redirect(href('/'))
export const action = () => redirect(href('/'))
