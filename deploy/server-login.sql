-- A login for the server that can't change tables. Run this as a superuser, and again whenever you replace the database.
\getenv password DATABASE_SERVER_PASSWORD

SELECT 'CREATE ROLE kb_server' WHERE to_regrole('kb_server') IS NULL \gexec
SELECT 'CREATE ROLE lectern_server LOGIN IN ROLE kb_server' WHERE to_regrole('lectern_server') IS NULL \gexec
ALTER ROLE lectern_server PASSWORD :'password';
-- Without this, the owner would need the right to grant kb_tenant.
SELECT 'GRANT kb_tenant TO kb_server' WHERE to_regrole('kb_tenant') IS NOT NULL \gexec

-- Without this, the logins of other databases could connect to this one. Grant CONNECT to your other logins, such as one for monitoring.
REVOKE CONNECT, TEMPORARY ON DATABASE lectern FROM PUBLIC;
-- Also tells migrations that this database has a login for the server.
GRANT CONNECT ON DATABASE lectern TO lectern_server;
