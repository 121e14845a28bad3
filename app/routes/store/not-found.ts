import { href, redirect } from 'react-router'

export const loader = () => redirect(href('/'))
export const action = () => redirect(href('/'))
