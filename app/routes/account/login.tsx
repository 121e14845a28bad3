export default function Page() {
  return (
    <main className="page" id="main">
      <h1>Login</h1>
    </main>
  )
}
