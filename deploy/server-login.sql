-- A login for the server, which can't change tables. Run this as a superuser, and again after the database was replaced.
\getenv password DATABASE_SERVER_PASSWORD

SELECT 'CREATE ROLE kb_server' WHERE to_regrole('kb_server') IS NULL \gexec
SELECT 'CREATE ROLE lectern_server LOGIN IN ROLE kb_server' WHERE to_regrole('lectern_server') IS NULL \gexec
ALTER ROLE lectern_server PASSWORD :'password';
-- Otherwise the owner would need the right to grant it.
SELECT 'GRANT kb_tenant TO kb_server' WHERE to_regrole('kb_tenant') IS NOT NULL \gexec

-- Otherwise the logins of other databases could connect to this one. Grant CONNECT to your own, such as a monitor's.
REVOKE CONNECT, TEMPORARY ON DATABASE lectern FROM PUBLIC;
-- Also tells migrations that this database has such a login.
GRANT CONNECT ON DATABASE lectern TO lectern_server;
